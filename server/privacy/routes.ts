import { deleteAccount, exportData } from '#domain/accounts/contract.ts';
import { type Route, route } from '../http/route.ts';
import { deleteOwnAccount } from './delete-account.ts';
import { exportOwnData } from './export-data.ts';

/** Deletion and export concern the data of every other domain, so this folder stands above them. */
export const routes: Route[] = [
  route(exportData, { access: 'user', right: 'owner' }, exportOwnData),
  route(deleteAccount, { access: 'user', right: 'owner' }, deleteOwnAccount),
];
