import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createDatabase, type TestDatabase } from '@gatehouse/testing/postgres';
import { once, EventEmitter } from 'node:events';
import type { DataSource } from 'typeorm';
import { createDataSource } from './data-source.ts';
import { NotificationListener } from './notifications.ts';

let database: TestDatabase;
let dataSource: DataSource;

beforeAll(async () => {
  database = await createDatabase({ name: 'notifications', prepare: () => Promise.resolve() });
  dataSource = createDataSource({ url: database.url, entities: [] });
  await dataSource.initialize();
});

afterAll(async () => {
  await dataSource.destroy();
  await database.drop();
});

describe('NotificationListener', () => {
  it('receives notifications, also after its connection was lost', async () => {
    const events = new EventEmitter();
    const listener = new NotificationListener(dataSource, {
      applicationName: 'listener-under-test',
      channels: ['changes'],
      onNotification: (channel, payload) => void events.emit('notification', channel, payload),
      onListening: () => void events.emit('listening'),
      onLoss: () => void events.emit('loss'),
    });
    expect(listener.isListening).toBe(false);
    try {
      await listener.start();
      expect(listener.isListening).toBe(true);
      const first = once(events, 'notification');
      await dataSource.query(`SELECT pg_notify('changes', 'one')`);
      expect(await first).toEqual(['changes', 'one']);
      const restored = Promise.all([once(events, 'loss'), once(events, 'listening')]);
      await dataSource.query(
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'listener-under-test'`,
      );
      await restored;
      const second = once(events, 'notification');
      await dataSource.query(`SELECT pg_notify('changes', 'two')`);
      expect(await second).toEqual(['changes', 'two']);
    } finally {
      await listener.stop();
    }
    expect(listener.isListening).toBe(false);
  });
});
