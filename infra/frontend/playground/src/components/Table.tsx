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

export function Table<T>({ caption, columns, rows, rowKey }: TableProps<T>) {
  return (
    <div class="table-wrap" tabIndex={0} role="group" aria-label={caption}>
      <table class="table">
        <caption class="visually-hidden">{caption}</caption>
        <thead>
          <tr>
            {columns.map(({ title, align, quiet }) => (
              <th key={title} scope="col" data-align={align}>
                {quiet ? <span class="visually-hidden">{title}</span> : title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={rowKey(row)}>
              {columns.map(({ title, cell, align, nowrap }) => (
                <td key={title} data-align={align} data-nowrap={nowrap}>
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
