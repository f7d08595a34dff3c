import type { PathsWithMethod } from 'openapi-typescript-helpers';

import type { Method } from './api.js';
import { type ClientProblem, RuneportError } from './error.js';
import type { paths } from './generated/openapi.js';

type KeyOf<Answer> = Answer extends { content: { 'application/json': { message: infer Key extends string } } } ? Key : never;

type KeysOf<Answers> = { [Status in keyof Answers]: Status extends 200 | 201 | 304 ? never : KeyOf<Answers[Status]> }[keyof Answers];

/** The keys of the errors that an operation answers with, such as `auth.otpRequired`. */
export type ProblemKey<M extends Method, P extends PathsWithMethod<paths, M>> =
  paths[P] extends { [K in M]: { responses: infer Answers } } ? KeysOf<Answers> : never;

/** An error of one operation. The gateway and other versions of the service may add errors that the type does not name. */
export type ErrorOf<M extends Method, P extends PathsWithMethod<paths, M>> =
  RuneportError & { readonly key: ProblemKey<M, P> | ClientProblem };

/**
 * Whether an error comes from this package. If so, its `key` has the type of the errors of the operation that was
 * called.
 *
 * @example
 * try {
 *   await call(api, 'post', '/auth/refresh-token', { body: { refreshToken } });
 * } catch (error) {
 *   if (isErrorOf(error, 'post', '/auth/refresh-token')) console.log(error.key, error.message);
 * }
 */
export function isErrorOf<M extends Method, P extends PathsWithMethod<paths, M>>(
  error: unknown,
  _method: M,
  _path: P,
): error is ErrorOf<M, P> {
  return error instanceof RuneportError;
}
