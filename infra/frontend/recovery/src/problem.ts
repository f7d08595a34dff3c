/** A problem to show to the user: its message says what is wrong and what to do next. */
export class Problem extends Error {
  override readonly name = 'Problem';
}

/** The message of a problem; of any other error, a sentence that contains its text. */
export function messageOf(error: unknown): string {
  if (error instanceof Problem) return error.message;
  return `This did not work: ${error instanceof Error ? error.message : String(error)}`;
}
