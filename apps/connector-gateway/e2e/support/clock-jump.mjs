// Preloaded into a process: each SIGUSR2 sets its clock forward by CLOCK_JUMP_SECONDS, and it
// writes a line to standard error.
const systemNow = Date.now;
let aheadMs = 0;
const now = () => systemNow() + aheadMs;
globalThis.Date = new Proxy(Date, {
  construct: (target, parameters, newTarget) =>
    Reflect.construct(target, parameters.length === 0 ? [now()] : parameters, newTarget),
  get: (target, name, receiver) => (name === 'now' ? now : Reflect.get(target, name, receiver)),
});
process.on('SIGUSR2', () => {
  aheadMs += Number(process.env.CLOCK_JUMP_SECONDS) * 1000;
  process.stderr.write('the clock has jumped\n');
});
