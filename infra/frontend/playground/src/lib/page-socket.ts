import type { SocketClass } from '@runeport/client/events';
import { effect } from '@preact/signals';

import { gone } from './gone.ts';

const open = new Set<WebSocket>();
effect(() => {
  if (gone.value) for (const socket of open) socket.close();
});

/** Sockets of the page. `onTurn` receives whether one of them carries messages. */
export function pageSockets(onTurn: (isLive: boolean) => void): SocketClass {
  const live = new Set<WebSocket>();
  return class extends WebSocket {
    constructor(address: string) {
      if (gone.peek()) throw new Error('The service is gone.');
      super(address);
      open.add(this);
      this.addEventListener('message', () => {
        live.add(this);
        onTurn(true);
      }, { once: true });
      this.addEventListener('close', () => {
        open.delete(this);
        live.delete(this);
        onTurn(live.size > 0);
      });
    }
  };
}
