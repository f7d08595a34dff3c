/** Queries of lists, as in `shared/src/http/list.rs`, for a resource without relations, filters and hidden
 * fields. */

import { Problem } from "./problems.mjs";

const LAST_PAGE = 1_000_000_000;
const LARGEST_PAGE_SIZE = 100;
/** The maximum length of a list that is sorted in memory. */
const MOST_SORTED = 5_000;

const words = (value) => value.split(/[, ]/).filter(Boolean);

function unknown(what, allowed) {
  return allowed.length === 0
    ? `is not a ${what}; there are none here`
    : `names an unknown ${what}; allowed: ${allowed.join(", ")}`;
}

/** An invalid parameter, with its message. */
class Wrong extends Error {}

function number(value, most) {
  const number = /^[0-9]{1,20}$/.test(value) ? Number(value) : 0;
  if (number < 1 || number > most) {
    throw new Wrong(`must be a number from 1${Number.isFinite(most) ? ` to ${most}` : ""}`);
  }
  return number;
}

function sortKeys(value, fields) {
  const keys = [];
  for (const word of words(value)) {
    const descending = word.startsWith("-");
    const field = descending ? word.slice(1) : word;
    if (!fields.includes(field)) throw new Wrong(unknown("sort", fields));
    if (keys.some((key) => key.field === field)) throw new Wrong(`names ${field} twice`);
    keys.push({ field, descending });
  }
  if (keys.length === 0) throw new Wrong("must name a field");
  return keys;
}

function selected(value, fields) {
  const [only, without] = [[], []];
  for (const word of words(value)) {
    const name = word.replace(/^-/, "");
    if (name !== "id" && !fields.includes(name)) throw new Wrong(unknown("field", fields));
    (word.startsWith("-") ? without : only).push(name);
  }
  if (only.length > 0 && without.length > 0) {
    throw new Wrong("mixes fields to return and fields to leave out");
  }
  return only.length > 0 ? only : fields.filter((field) => !without.includes(field));
}

/** Parses the query of a list. Every field can be a sort key. The error names all invalid parameters. */
export function listQuery(parameters, fields) {
  const query = {
    page: 1,
    pageSize: 10,
    sort: [{ field: "createdAt", descending: true }],
    fields,
  };
  const errors = [];
  for (const field of Object.keys(parameters).sort()) {
    const value = parameters[field];
    try {
      if (typeof value !== "string") throw new Wrong("is given twice");
      if (field === "page") query.page = number(value, LAST_PAGE);
      else if (field === "pageSize") query.pageSize = Math.min(number(value, Infinity), LARGEST_PAGE_SIZE);
      else if (field === "sort") query.sort = sortKeys(value, fields);
      else if (field === "select") query.fields = selected(value, fields);
      else if (field === "populate" && words(value).length > 0) throw new Wrong(unknown("relation", []));
      else if (field.endsWith("_eq")) throw new Wrong(unknown("filter", []));
    } catch (error) {
      if (!(error instanceof Wrong)) throw error;
      errors.push({ field, message: error.message });
    }
  }
  if (errors.length > 0) throw Problem.fields(errors);
  return query;
}

/** Reads the page of a query. If the only sort key is `createdAt`, it reads the page directly from the list;
 * otherwise it reads the whole list and sorts it in memory. */
export async function readPage(store, list, query) {
  const { page, pageSize, sort, fields } = query;
  const total = (await store.get(list.head))?.count ?? 0;
  const skipped = (page - 1) * pageSize;
  const members = async (low, high, forward) => {
    if (low > high) return [];
    const rows = await store.range(list.member(low), list.member(high), forward);
    return rows.map(({ value }) => value);
  };
  let rows;
  if (sort.length === 1 && sort[0].field === "createdAt") {
    rows = sort[0].descending
      ? await members(Math.max(total - skipped - pageSize + 1, 1), total - skipped, false)
      : await members(skipped + 1, Math.min(skipped + pageSize, total), true);
  } else {
    if (total > MOST_SORTED) {
      const details = `The list has more than ${MOST_SORTED} items. It can be sorted by createdAt and -createdAt.`;
      throw new Problem("sortTooLarge", { details });
    }
    rows = (await members(1, total, true)).sort(by(sort)).slice(skipped, skipped + pageSize);
  }
  const shown = [...fields, "id"].sort();
  return {
    data: rows.map((row) => Object.fromEntries(shown.map((field) => [field, row[field]]))),
    metaData: {
      totalItems: total,
      currentPage: page,
      pageSize,
      totalPages: Math.ceil(total / pageSize),
    },
  };
}

const compare = (a, b) => (a < b ? -1 : Number(a > b));

/** Compares rows by the requested fields, then by id, so that pages never overlap. */
function by(sort) {
  return (a, b) => {
    for (const { field, descending } of sort) {
      const order = compare(a[field], b[field]);
      if (order !== 0) return descending ? -order : order;
    }
    return compare(a.id, b.id);
  };
}
