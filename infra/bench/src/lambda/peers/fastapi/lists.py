"""Queries of lists, as in `shared/src/http/list.rs`, for a resource without relations, filters and hidden
fields."""

import re
from dataclasses import dataclass, field

from .problems import Problem

LAST_PAGE = 1_000_000_000
LARGEST_PAGE_SIZE = 100
# The maximum length of a list that is sorted in memory.
MOST_SORTED = 5_000


@dataclass
class ListQuery:
    """A checked query; `sort` has pairs of a field name and a flag for descending order."""

    fields: list[str]
    page: int = 1
    page_size: int = 10
    sort: list[tuple[str, bool]] = field(default_factory=lambda: [("createdAt", True)])


def words(value):
    return [word for word in re.split("[, ]", value) if word]


def unknown(what, allowed):
    if not allowed:
        return f"is not a {what}; there are none here"
    return f"names an unknown {what}; allowed: {', '.join(allowed)}"


def number(value, most):
    number = int(value) if re.fullmatch("[0-9]{1,20}", value) else 0
    if number < 1 or (most and number > most):
        raise ValueError("must be a number from 1" + (f" to {most}" if most else ""))
    return number


def sort_keys(value, fields):
    keys = []
    for word in words(value):
        name = word.removeprefix("-")
        if name not in fields:
            raise ValueError(unknown("sort", fields))
        if any(name == key for key, _ in keys):
            raise ValueError(f"names {name} twice")
        keys.append((name, word.startswith("-")))
    if not keys:
        raise ValueError("must name a field")
    return keys


def selected(value, fields):
    only, without = [], []
    for word in words(value):
        name = word.removeprefix("-")
        if name != "id" and name not in fields:
            raise ValueError(unknown("field", fields))
        (without if word.startswith("-") else only).append(name)
    if only and without:
        raise ValueError("mixes fields to return and fields to leave out")
    return only or [name for name in fields if name not in without]


def list_query(parameters, fields) -> ListQuery:
    """Parses the query of a list. Every field can be a sort key. The error names all invalid parameters."""
    query, errors = ListQuery(fields), []
    for name in sorted(parameters):
        value = parameters[name]
        try:
            if name == "page":
                query.page = number(value, LAST_PAGE)
            elif name == "pageSize":
                query.page_size = min(number(value, None), LARGEST_PAGE_SIZE)
            elif name == "sort":
                query.sort = sort_keys(value, fields)
            elif name == "select":
                query.fields = selected(value, fields)
            elif name == "populate" and words(value):
                raise ValueError(unknown("relation", []))
            elif name.endswith("_eq"):
                raise ValueError(unknown("filter", []))
        except ValueError as error:
            errors.append({"field": name, "message": str(error)})
    if errors:
        raise Problem.fields(errors)
    return query


def read_page(store, list_, query):
    """Reads the page of a query. If the only sort key is `createdAt`, it reads the page directly from the list;
    otherwise it reads the whole list and sorts it in memory."""
    head = store.get(list_.head())
    total = head["count"] if head else 0
    skipped = (query.page - 1) * query.page_size

    def members(low, high, forward):
        if low > high:
            return []
        rows = store.range(list_.member(low), list_.member(high), forward)
        return [row["value"] for row in rows]

    if [name for name, _ in query.sort] == ["createdAt"]:
        if query.sort[0][1]:
            rows = members(max(total - skipped - query.page_size + 1, 1), total - skipped, False)
        else:
            rows = members(skipped + 1, min(skipped + query.page_size, total), True)
    elif total > MOST_SORTED:
        raise Problem(
            "sortTooLarge",
            f"The list has more than {MOST_SORTED} items. It can be sorted by createdAt and -createdAt.",
        )
    else:
        rows = sorted(members(1, total, True), key=lambda row: row["id"])
        for name, descending in reversed(query.sort):
            rows.sort(key=lambda row: row[name], reverse=descending)
        rows = rows[skipped : skipped + query.page_size]
    shown = sorted({*query.fields, "id"})
    return {
        "data": [{name: row[name] for name in shown} for row in rows],
        "metaData": {
            "totalItems": total,
            "currentPage": query.page,
            "pageSize": query.page_size,
            "totalPages": -(-total // query.page_size),
        },
    }
