/** The baseline of every ratio: a minimal Node server that answers with as many bytes as the measured one. */
import http from 'node:http';
import type { AddressInfo } from 'node:net';

const body = Buffer.from('x'.repeat(Number(process.argv[2] ?? 500)));

const server = http.createServer((_request, response) => {
  response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': body.length });
  response.end(body);
});
server.listen(0, '127.0.0.1', () => process.send?.({ port: (server.address() as AddressInfo).port }));
process.on('disconnect', () => process.exit(0));
