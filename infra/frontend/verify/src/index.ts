export { check, type Report } from './check.js';
export { fill } from './fill.js';
export { Server } from './server.js';
export { claimsAt, claimsIn } from './service.js';
export { factsOf, verdictOf } from './words.js';
