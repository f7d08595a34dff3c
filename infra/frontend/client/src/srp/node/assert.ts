// What fast-srp-hap takes of Node's `assert`.

export default {
  strictEqual(actual: unknown, expected: unknown): void {
    if (actual !== expected) throw new Error('assertion');
  },
};
