// Starts the simulators as a process of their own. Argument: the options as JSON. The first line of
// stdout is JSON with the origins and the address of the log. It ends when its stdin ends.
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type ModelVendorsOptions, startModelVendors } from './model-vendors.ts';

const vendors = await startModelVendors(JSON.parse(process.argv[2] ?? '{}') as ModelVendorsOptions);
const server = createServer((_, response) => {
  void vendors.readLog().then((log) => {
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(log));
  });
});
server.listen(0, '127.0.0.1');
await once(server, 'listening');
const logUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/log`;
process.stdout.write(`${JSON.stringify({ urls: vendors.urls, googleKeyFile: vendors.googleKeyFile, logUrl })}\n`);
process.stdin.resume().once('end', () => process.exit(0));
