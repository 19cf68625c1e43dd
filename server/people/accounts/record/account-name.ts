/** How SQL names people and accounts. */
import { sql } from 'kysely';

/** The name of a person in `users`, or their address. */
export const PERSON_NAME = sql<string>`coalesce(
  nullif(btrim(concat_ws(' ', users.first_name, users.last_name)), ''), users.email)`;

/** The name of an account in `users` with its settings: of the business, or of the person. */
export const ACCOUNT_NAME = sql<string>`coalesce(nullif(btrim(user_settings.business_name), ''), ${PERSON_NAME})`;
