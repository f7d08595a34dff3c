// What the rows of lists have, from the texts of `select` and `populate`.

import type { PathsWithMethod } from 'openapi-typescript-helpers';

import type { components, paths } from './generated/openapi.js';

type Schemas = components['schemas'];

interface ListAnswer {
  data: { id: string }[];
  metaData: Schemas['MetaData'];
}

/** The successful response of a GET, as the document describes it. */
type Described<P extends PathsWithMethod<paths, 'get'>> =
  paths[P] extends { get: { responses: { 200: { content: { 'application/json': infer Body } } } } } ? Body : never;

/** The parameters that a GET accepts. */
type ParametersOf<P extends PathsWithMethod<paths, 'get'>> =
  paths[P] extends { get: { parameters: { query?: infer Query } } } ? NonNullable<Query> : never;

/** Whether a GET returns pages by number: events have a `metaData` with the same numbers, but no pages. */
type IsPaged<P extends PathsWithMethod<paths, 'get'>> =
  [ParametersOf<P>] extends [never] ? false : 'pageSize' extends keyof ParametersOf<P> ? Described<P> extends ListAnswer ? true : false : false;

/** The paths that return lists in pages and have no parameters in the path. */
export type ListPath = {
  [P in PathsWithMethod<paths, 'get'>]: P extends `${string}{${string}` ? never : IsPaged<P> extends true ? P : never;
}[PathsWithMethod<paths, 'get'>];

/** Fields that only `select=+field` returns. */
interface HiddenFields {
  '/api/account': 'lastSignInAt' | 'referredBy';
  '/api/xchain/transactions': 'failedAtStep' | 'failureReason' | 'fillTxHash' | 'replaceTxId' | 'replacedByTxId';
}

/** Visible fields that a row lacks if they have no value. In other lists these fields are null. */
interface AbsentFields {
  '/api/download-histories': 'completedAt' | 'error' | 'url' | 'urlExpiresAt';
}

/** A token or rune of the catalogue, as `populate=token` adds it. */
export type RelatedToken = Omit<Schemas['TokenRow'], 'id'>;

/** The relations of every list. */
interface CommonRelations {
  wallet: Schemas['Wallet'] | null;
  token: RelatedToken | null;
}

/** The relations that one list has in addition. */
interface OwnRelations {
  '/api/account': { referrer: Schemas['Referrer'] | null };
  '/api/xchain/transactions': { inputToken: RelatedToken | null; outputToken: RelatedToken | null };
}

type At<Table, P> = P extends keyof Table ? Table[P] : never;

/** The relations that `populate` of a list accepts. */
export type Relations<P extends ListPath> = CommonRelations & ([At<OwnRelations, P>] extends [never] ? unknown : At<OwnRelations, P>);

/** The fields that a list returns only with `select=+field`. */
export type HiddenField<P extends ListPath> = At<HiddenFields, P>;

/** A row as the document describes it, where any field but the id may be missing. */
type Item<P extends ListPath> = Described<P> extends { data: (infer R)[] } ? R : never;

type AbsentField<P extends ListPath> = Extract<keyof Item<P>, At<AbsentFields, P>>;

/** All fields of a row, without relations. */
type Whole<P extends ListPath> =
  Required<Omit<Item<P>, AbsentField<P> | keyof Relations<P>>> & Pick<Item<P>, AbsentField<P>>
  // A field and a relation at once.
  & ('wallet' extends keyof Item<P> ? Pick<CommonRelations, 'wallet'> : unknown);

/** The words of a text, which commas and spaces separate. */
type Words<Text extends string> =
  Text extends `${infer A},${infer B}` ? Words<A> | Words<B>
    : Text extends `${infer A} ${infer B}` ? Words<A> | Words<B>
      : Text extends '' ? never : Text;

type Named<W> = W extends `+${string}` | `-${string}` ? never : W;
type Added<W> = W extends `+${infer Name}` ? Name : never;
type Dropped<W> = W extends `-${infer Name}` ? Name : never;

type Visible<P extends ListPath> = Exclude<keyof Whole<P>, HiddenField<P>>;

/** The names of the fields that `select` returns; the id is always among them. */
type SelectedNames<P extends ListPath, W> =
  'id' | Added<W> | ([Named<W>] extends [never] ? Exclude<Visible<P>, Dropped<W>> : Named<W>);

type Selected<P extends ListPath, Select extends string> = string extends Select
  // The text is not known before the program runs.
  ? Pick<Whole<P>, Extract<keyof Whole<P>, 'id'>> & Partial<Whole<P>>
  : Pick<Whole<P>, Extract<keyof Whole<P>, SelectedNames<P, Words<Select>>>>;

type Populated<P extends ListPath, Populate extends string> = string extends Populate
  ? Partial<Relations<P>>
  : Pick<Relations<P>, Extract<keyof Relations<P>, Words<Populate>>>;

type Flat<T> = { [K in keyof T]: T[K] };

/**
 * A row of a list. It has every visible field, or those that `select` names, and the relations that `populate`
 * names. If the type of one of them is `string`, the fields that it decides about are optional.
 */
export type Row<P extends ListPath, Select extends string = '', Populate extends string = ''> =
  Select extends string ? Populate extends string ? Flat<Selected<P, Select> & Populated<P, Populate>> : never : never;

/** `page`, `pageSize`, `sort`, `select`, `populate`, and the filters of a list. */
export type ListQuery<P extends ListPath, Select extends string = string, Populate extends string = string> =
  Omit<NonNullable<paths[P]['get']['parameters']['query']>, 'select' | 'populate'>
  & { select?: Select; populate?: Populate };

/** One page of a list, as the envelope of its call. */
export type Page<P extends ListPath, Select extends string = '', Populate extends string = ''> =
  Omit<Described<P>, 'data'> & { data: Row<P, Select, Populate>[] };
