/** Answers as VIES does (https://ec.europa.eu/taxation_customs/vies/#/technical-information), on a local port. */
import http from 'node:http';
import type { AddressInfo } from 'node:net';

export type ViesServer = {
  env: { VIES_URL: string };
  /** The paths that were asked for, with their queries. */
  asked: string[];
  /** Numbers that are not registered, without their prefix. */
  unknown: Set<string>;
  /** Answers every question with this error, such as MS_UNAVAILABLE. Null: answers. */
  outage: string | null;
  /** Gives no answer at all. */
  isSilent: boolean;
  close: () => Promise<void>;
};

export async function startViesServer(): Promise<ViesServer> {
  const state: ViesServer = {
    env: { VIES_URL: '' },
    asked: [],
    unknown: new Set(),
    outage: null,
    isSilent: false,
    close,
  };
  const server = http.createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://localhost');
    state.asked.push(url.pathname + url.search);
    const [, country, number = ''] = /^\/ms\/([A-Z]{2})\/vat\/([^/]+)$/.exec(url.pathname) ?? [];
    if (country === undefined) return void response.writeHead(404).end();
    if (state.isSilent) return;
    const isValid = state.outage === null && !state.unknown.has(number);
    response.writeHead(200, { 'content-type': 'application/json' }).end(
      JSON.stringify({
        isValid,
        requestDate: new Date().toISOString(),
        userError: state.outage ?? (isValid ? 'VALID' : 'INVALID'),
        name: isValid ? 'SOMEBODY S.R.L.' : '---',
        address: isValid ? 'VIA ROMA 1 \n00100 ROMA RM \n' : '---',
        requestIdentifier: url.searchParams.has('requesterNumber') ? `WAPI${state.asked.length}` : '',
        vatNumber: number,
      }),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  state.env.VIES_URL = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return state;

  async function close(): Promise<void> {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
}
