import { resetPassword, restoreEmail } from '#domain/accounts/contract.ts';
import { resetWith } from '../accounts/email/reset-password.ts';
import { restoreByLinkWith } from '../accounts/email/restore-email.ts';
import { type Route, route } from '#server/platform/http/route.ts';
import { takeBack } from './end-access.ts';

/** The calls by which a person takes an account back. They end access of every domain, so this folder stands above them. */
export const routes: Route[] = [
  route(resetPassword, { access: 'anyone' }, resetWith(takeBack)),
  route(restoreEmail, { access: 'anyone' }, restoreByLinkWith(takeBack)),
];
