/** What a report is about, with its public id. */
export type ReportSubject = { kind: 'ad' | 'plan'; ref: string };
