// Node's `Buffer`, which fast-srp-hap expects as a global.

export { Buffer } from 'buffer/';
