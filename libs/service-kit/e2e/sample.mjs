// A small service of the built library for process.test.ts. GET / of the side port answers after
// SLOW_MS. With HANG, the start never ends.
import { Module } from '@nestjs/common';
import { loadConfig, serviceSettings } from '@gatehouse/service-kit/config';
import { startService } from '@gatehouse/service-kit/start';
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';

class SampleModule {}
Module({})(SampleModule);

const side = {
  name: 'slow',
  host: '127.0.0.1',
  port: 0,
  register: (server) => {
    server.get('/', { config: { gatehouse: { access: 'public' } } }, async () => {
      process.stdout.write('{"message":"begun"}\n');
      await sleep(Number(process.env.SLOW_MS));
      return { done: true };
    });
  },
};

await startService(async () => {
  const settings = loadConfig(z.object(serviceSettings), process.env);
  if (process.env.HANG) {
    process.stdout.write('{"message":"hanging"}\n');
    await sleep(600_000);
  }
  return {
    name: 'sample',
    title: 'Sample',
    description: 'For tests',
    version: '1.0.0',
    settings,
    module: SampleModule,
    sideListeners: [side],
  };
});
