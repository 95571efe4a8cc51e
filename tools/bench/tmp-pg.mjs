import { startServer } from './server.mjs';
const pg = await startServer('/tmp/met/home/postgres');
console.log(JSON.stringify({ adminUrl: pg.adminUrl, keys: Object.keys(pg), pid: process.pid }));
process.on('SIGTERM', async () => { await pg.stop(); process.exit(0); });
setInterval(() => {}, 1e6);
