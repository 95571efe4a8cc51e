import { describe, expect, it } from '@jest/globals';
import type { NewRecord } from './new-record.ts';
import { RecordWriter } from './record-writer.ts';

const createRecord = (call_id: string): NewRecord => ({
  call_id,
  occurred_at: '2026-01-01T00:00:00.000Z',
  issuer: 'https://id.example.test',
  subject: 'alice',
  user_id: null,
  user_email: null,
  group_ids: [],
  connector_id: null,
  connector_name: null,
  tool_name: 'echo',
  arguments_sha256: null,
  definition_version: null,
  decision: 'allowed',
  outcome: 'ok',
  category: null,
  billable: true,
  billable_reason: 'reached the upstream',
  duration_ms: 1,
  state: 'ready',
});

/** A database whose statements end when the test decides. */
function openDatabase() {
  const statements: { ids: string[]; end: (error?: Error) => void }[] = [];
  const writer = new RecordWriter(
    (records) =>
      new Promise<void>((resolve, reject) => {
        const ids = records.map(({ call_id }) => call_id);
        statements.push({ ids, end: (error) => (error === undefined ? resolve() : reject(error)) });
      }),
  );
  return { writer, statements };
}

const nextTurn = () => new Promise((resolve) => setImmediate(resolve));

describe('RecordWriter', () => {
  it('groups the records of one turn, and those that wait for a statement', async () => {
    const { writer, statements } = openDatabase();
    const written = ['a', 'b'].map((id) => writer.add(createRecord(id)));
    await nextTurn();
    written.push(writer.add(createRecord('c')));
    await nextTurn();
    expect(statements.map(({ ids }) => ids)).toEqual([['a', 'b'], ['c']]);
    for (const id of ['d', 'e']) {
      written.push(writer.add(createRecord(id)));
      await nextTurn();
    }
    expect(statements).toHaveLength(2);
    statements[0]?.end();
    await nextTurn();
    expect(statements.map(({ ids }) => ids)).toEqual([['a', 'b'], ['c'], ['d', 'e']]);
    for (const { end } of statements) end();
    await Promise.all(written);
  });

  it('fails all records of a statement that the database did not execute', async () => {
    const { writer, statements } = openDatabase();
    const failed = writer.add(createRecord('a'));
    await nextTurn();
    statements[0]?.end(new Error('connection lost'));
    await expect(failed).rejects.toThrow('connection lost');
    expect(writer.hasFailed).toBe(true);
    const written = writer.add(createRecord('b'));
    await nextTurn();
    statements.at(-1)?.end();
    await written;
    expect(writer.hasFailed).toBe(false);
  });

  it('fails only the record that the database refuses', async () => {
    const { writer, statements } = openDatabase();
    const [bad, good] = [writer.add(createRecord('bad')), writer.add(createRecord('good'))];
    await nextTurn();
    expect(statements[0]?.ids).toEqual(['bad', 'good']);
    const refused = Object.assign(new Error('invalid text'), { code: '22021' });
    statements[0]?.end(refused);
    await nextTurn();
    expect(statements[1]?.ids).toEqual(['bad']);
    statements[1]?.end(refused);
    await expect(bad).rejects.toBe(refused);
    await nextTurn();
    expect(statements[2]?.ids).toEqual(['good']);
    statements[2]?.end();
    await good;
    expect(writer.hasFailed).toBe(false);
  });
});
