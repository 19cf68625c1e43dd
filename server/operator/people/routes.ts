import { listOwnActs } from '#domain/operator/contract.ts';
import { type Route, route } from '#server/platform/http/route.ts';
import { ownActs } from './trail.ts';

export const routes: Route[] = [route(listOwnActs, { access: 'user', right: 'owner' }, ownActs)];
