/** `publisher-reports.csv`: a publisher in each row, for the report that an operator owes to a state. */
import type { CsvCell } from '#domain/csv.ts';
import { decimalOf } from '#domain/money.ts';
import { missingFields, type PublisherReport } from '#domain/payments/publisher-reports.ts';
import type { ReportRow } from './store-reports.ts';

const QUARTERS = [1, 2, 3, 4];
const MONTHS = Array.from({ length: 12 }, (_, i) => i + 1);

const month = (n: number) => `m${String(n).padStart(2, '0')}`;

export const REPORT_COLUMNS = [
  'publisher_id',
  'name',
  'email',
  'status',
  'tax_id',
  'country',
  'address',
  'birth_date',
  'registration_number',
  'missing',
  ...QUARTERS.flatMap((n) => [`q${n}_gross`, `q${n}_fees`, `q${n}_sales`]),
  ...MONTHS.map((n) => `${month(n)}_charged`),
  'charged',
  'sales',
  'currency',
];

/** `missing` names what the report needs and the publisher has not stated. */
export function reportRow(row: ReportRow, report: PublisherReport, currency: string): CsvCell[] {
  const sum = (numbers: readonly number[]) => numbers.reduce((total, each) => total + each, 0);
  return [
    row.publisherId,
    row.name,
    row.email,
    row.taxStatus,
    row.taxId,
    row.country,
    row.address,
    row.birthDate,
    row.registrationNumber,
    missingFields(report, { ...row, isCompany: row.taxStatus === 'business' }).join(' '),
    ...QUARTERS.flatMap((n) => [
      decimalOf(row.gross[n - 1]!),
      decimalOf(row.fees[n - 1]!),
      sum(row.sales.slice(3 * (n - 1), 3 * n)),
    ]),
    ...row.charged.map(decimalOf),
    decimalOf(sum(row.charged)),
    sum(row.sales),
    currency,
  ];
}
