import { sql } from 'kysely';

/**
 * The kinds of the entries that change what a publisher has earned and the commission of it, as a list for `in`. The
 * documents of a month and the yearly sums of publishers read these and no others, so that both tie to the balances.
 */
export const EARNING_KINDS = sql`('accrual', 'correction', 'dispute_lost', 'dispute_recovered', 'tax')`;
