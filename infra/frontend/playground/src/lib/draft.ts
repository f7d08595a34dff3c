/** A request that the user may edit and send. */
export interface Draft {
  /** The summary of the operation. */
  title: string;
  method: string;
  /** With its query. */
  path: string;
  body: unknown;
}

/** The parts of an OpenAPI document that a draft is made of. */
export interface Document {
  paths: Record<string, Record<string, Operation>>;
}

interface Operation {
  operationId?: string;
  summary?: string;
  parameters?: { name: string; in: string; example?: unknown }[];
  requestBody?: { content: Record<string, { example?: unknown }> };
}

/** The request of an operation with the values that the document has as examples; `undefined` if no path has the operation. */
export function draftOf({ paths }: Document, operationId: string): Draft | undefined {
  for (const [template, operations] of Object.entries(paths)) {
    for (const [method, operation] of Object.entries(operations)) {
      if (operation.operationId !== operationId) continue;
      const { summary, parameters = [], requestBody } = operation;
      const given = (place: string) => parameters.filter((one) => one.in === place && one.example !== undefined);
      const path = given('path').reduce(
        (before, { name, example }) => before.replace(`{${name}}`, encodeURIComponent(String(example))), template,
      );
      const query = new URLSearchParams(given('query').map(({ name, example }) => [name, String(example)])).toString();
      return {
        title: summary ?? operationId, method: method.toUpperCase(), path: query === '' ? path : `${path}?${query}`,
        body: requestBody?.content['application/json']?.example,
      };
    }
  }
  return undefined;
}
