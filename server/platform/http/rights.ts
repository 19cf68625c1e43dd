import { type Call, templateOf } from './openapi.ts';
import type { Route } from './route.ts';
import type { WhoMayCall } from './who-may-call.ts';

/** The calls that a server answers, as `App` lists them. */
type Calls = { routes: readonly Route[]; calls: readonly Call[] };

/** `path` as in '/api/ads/{ref}/reject'. */
type Right = { method: string; path: string; who: WhoMayCall };

/** The callers of each call, by address. The files and pages of the web application are the same for everybody and not listed. */
export function rightsOf({ routes, calls }: Calls): Right[] {
  return [
    ...routes.map((who) => ({ method: who.endpoint.method, path: templateOf(who.endpoint.path), who })),
    ...calls.map((who) => ({ method: who.method.toUpperCase(), path: who.path, who })),
  ].toSorted((a, b) => (addressOf(a) < addressOf(b) ? -1 : 1));
}

const addressOf = ({ path, method }: Right): string => `${path} ${method}`;

/** The same as a table in Markdown, for auditors. `right` is that of a member of the account, or of an operator. */
export function rightsTable(server: Calls): string {
  const rows = rightsOf(server).map(({ method, path, who: { access, right, ...flags } }) => [
    `${method} ${path}`,
    access,
    right ?? '',
    ...[flags.whileSuspended, flags.confirmed, flags.public, flags.notInView].map((holds) =>
      holds ? 'yes' : '',
    ),
  ]);
  const head = ['call', 'access', 'right', 'while suspended', 'confirmed', 'public', 'hidden from a view'];
  return [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}
