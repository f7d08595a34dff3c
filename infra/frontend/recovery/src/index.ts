export { type Coin, coinsIn, idOf, isPlain, withContents } from './coins.js';
export { readKey } from './key.js';
export { readKit } from './kit.js';
export { ownAddress, plan, type Planned, rateOf } from './plan.js';
export { messageOf, Problem } from './problem.js';
export { psbtOf, sign, type Signed, takeSignatures } from './sign.js';
export { Esplora, readContents } from './source.js';
export { contentsOf, feesOf, freedomOf, grouped, reasonOf, summaryOf, unlistedOf, workOf } from './words.js';
