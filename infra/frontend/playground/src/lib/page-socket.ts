import type { SocketClass } from '@runeport/client/events';

/**
 * Sockets that go through the page's own origin, as its calls do: the page may connect to nothing else by a name.
 * `onTurn` receives whether one of them carries messages.
 */
export function pageSockets(onTurn: (isLive: boolean) => void): SocketClass {
  const live = new Set<WebSocket>();
  return class extends WebSocket {
    constructor(address: string) {
      const url = new URL(address);
      url.host = location.host;
      super(url);
      this.addEventListener('message', () => {
        live.add(this);
        onTurn(true);
      }, { once: true });
      this.addEventListener('close', () => {
        live.delete(this);
        onTurn(live.size > 0);
      });
    }
  };
}
