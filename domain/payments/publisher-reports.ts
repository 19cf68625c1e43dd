/** Reports of what publishers sold in a year, which a marketplace owes to a state. Counsel says which one, if any. */

/** `dac7` is that of the EU and of the United Kingdom, `1099-k` that of the United States. */
export const PUBLISHER_REPORTS = ['off', 'dac7', '1099-k'] as const;
export type PublisherReport = (typeof PUBLISHER_REPORTS)[number];

/** The details of a publisher in a report. A person has a date of birth, and a company a registration number. */
export type ReportedPublisher = {
  isCompany: boolean;
  address: string | null;
  taxId: string | null;
  birthDate: string | null;
  registrationNumber: string | null;
};

/** The names of what a publisher has not stated yet, as the columns of the report name them. */
export function missingFields(report: PublisherReport, publisher: ReportedPublisher): string[] {
  const { isCompany, address, taxId, birthDate, registrationNumber } = publisher;
  const needed: Record<string, string | null> = { address, tax_id: taxId };
  if (report === 'dac7' && isCompany) needed['registration_number'] = registrationNumber;
  if (report === 'dac7' && !isCompany) needed['birth_date'] = birthDate;
  return Object.keys(needed).filter((name) => !needed[name]);
}
