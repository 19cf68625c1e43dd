import { deleteAccount, exportData } from '#domain/accounts/contract.ts';
import { type Route, route } from '../http/route.ts';
import { deleteOwnAccount } from './delete-account.ts';
import { exportOwnData } from './export-data.ts';

/** What a person may do with everything we keep about them; it reaches into every other domain, so it stands above them. */
export const routes: Route[] = [
  route(exportData, 'user', exportOwnData),
  route(deleteAccount, 'user', deleteOwnAccount),
];
