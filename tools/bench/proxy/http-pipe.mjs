// Usage: node http-pipe.mjs PORT UPSTREAM_PORT
// Connects two node:http streams on kept connections, without any check.
import { Agent, createServer, request as sendRequest } from 'node:http';

const [port, upstreamPort] = process.argv.slice(2).map(Number);
const agent = new Agent({ keepAlive: true });

createServer((request, response) => {
  const { method, url: path, headers } = request;
  const upstream = sendRequest({ host: '127.0.0.1', port: upstreamPort, method, path, headers, agent }, (received) => {
    response.writeHead(received.statusCode, received.headers);
    received.pipe(response);
  });
  upstream.on('error', () => response.writeHead(502).end());
  request.pipe(upstream);
}).listen(port, '127.0.0.1');
