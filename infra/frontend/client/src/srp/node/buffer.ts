// Node's `Buffer`, for fast-srp-hap, which has it as a global.

export { Buffer } from 'buffer/';
