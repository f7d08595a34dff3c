import type { ComponentChildren } from 'preact';

export interface Column<T> {
  title: string;
  cell: (row: T) => ComponentChildren;
  align?: 'start' | 'end';
  nowrap?: boolean;
  /** The title is visible only to screen readers, for example above buttons. */
  quiet?: boolean;
}

interface TableProps<T> {
  /** Describes the table to screen readers. */
  caption: string;
  columns: readonly Column<T>[];
  rows: readonly T[];
  rowKey: (row: T) => string;
}

/** A table of more columns does not fit a narrow window, where each row becomes a card. */
const MOST_ABREAST = 4;

export function Table<T>({ caption, columns, rows, rowKey }: TableProps<T>) {
  return (
    <div class="table-wrap" tabIndex={0} role="group" aria-label={caption}>
      <table class="table" role="table" data-cards={columns.length > MOST_ABREAST}>
        <caption class="visually-hidden">{caption}</caption>
        <thead role="rowgroup">
          <tr role="row">
            {columns.map(({ title, align, quiet }) => (
              <th key={title} role="columnheader" scope="col" data-align={align}>
                {quiet ? <span class="visually-hidden">{title}</span> : title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody role="rowgroup">
          {rows.map((row) => (
            <tr key={rowKey(row)} role="row">
              {columns.map(({ title, cell, align, nowrap, quiet }) => (
                <td key={title} role="cell" data-align={align} data-nowrap={nowrap} data-title={quiet ? undefined : title}>
                  {cell(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
