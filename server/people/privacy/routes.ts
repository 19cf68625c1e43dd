import { deleteAccount, exportData } from '#domain/accounts/contract.ts';
import { type Route, route } from '#server/platform/http/route.ts';
import { deleteOwnAccount } from './delete-account.ts';
import { exportOwnData, type OperatorData } from './export-data.ts';

/** Deletion and export concern the data of every other domain, so this folder stands above them. */
export const privacyRoutes = (operators: OperatorData): Route[] => [
  route(
    exportData,
    { access: 'user', right: 'owner' },
    async (ctx, who, _, request) => await exportOwnData(ctx, who, request, operators),
  ),
  route(
    deleteAccount,
    { access: 'user', right: 'owner' },
    async (ctx, who, input, request) => await deleteOwnAccount(ctx, who, input, request, operators),
  ),
];
