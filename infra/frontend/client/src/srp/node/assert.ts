// The part of Node's `assert` that fast-srp-hap uses.

export default {
  strictEqual(actual: unknown, expected: unknown): void {
    if (actual !== expected) throw new Error('Assertion failed.');
  },
};
