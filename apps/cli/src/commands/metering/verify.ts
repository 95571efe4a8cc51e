import { existsSync } from 'node:fs';
import { Args, Flags } from '@oclif/core';
import { GatehouseCommand } from '../../base/base-command.ts';
import { printable } from '../../terminal/output.ts';
import { keysBeside } from '../../services/manager/metering.ts';
import { verifyExports } from '../../services/metering.ts';
import { CommandFailedError } from '../../errors/cli-error.ts';

/** `gatehouse metering verify`. */
export default class MeteringVerify extends GatehouseCommand {
  static override summary = 'verify exported tool calls on this machine';
  static override description =
    'Recomputes the hash of every record and its link to the one before, and verifies the signatures, without a network call. The last page must have the signed head of the gateway, so that no record is missing at the end. It reports the first wrong record and fails. Get the keys from the manager (/.well-known/jwks.json), not from the source of the export.';
  static override examples = [
    '<%= config.bin %> metering verify calls.ndjson',
    '<%= config.bin %> metering verify january.ndjson february.ndjson --keys jwks.json --json',
  ];
  static override strict = false;
  static override args = {
    files: Args.string({ description: 'exports, in the order of their creation', required: true }),
  };
  static override flags = {
    keys: Flags.string({ description: 'file with the key set of the manager (default: beside the first export)' }),
    filtered: Flags.boolean({
      description: 'the export omits records: verify each record, and the links between adjacent records',
    }),
    continued: Flags.boolean({ description: 'the export continues an earlier export' }),
    through: Flags.integer({
      description: 'the export must reach this record of its last chain, without a signed head',
      min: 1,
    }),
    'allow-empty': Flags.boolean({ description: 'accept an export without records' }),
  };

  async run(): Promise<void> {
    const { names: files, flags } = await this.read(MeteringVerify);
    const [first = ''] = files;
    const { filtered, continued, through, 'allow-empty': allowEmpty } = flags;
    const keys = flags.keys ?? keysBeside(first);
    if (flags.keys === undefined && !existsSync(keys))
      throw new CommandFailedError(`The key set beside the export is missing: ${keys}`, [
        '--keys jwks.json   with the key set from /.well-known/jwks.json of the manager',
      ]);
    const result = await verifyExports({ files, keys, filtered, continued, through, allowEmpty });
    if (flags.json) this.output.json(result);
    else {
      for (const chain of result.chains) {
        const { chain_id: id, records, first_sequence: from, last_sequence: to, attested, gaps } = chain;
        const left = gaps === 0 ? '' : `, ${gaps} gaps`;
        this.output.line(
          printable(`${id}  ${records} records from ${from} to ${to}${left}, ${attested} confirmed by signatures`),
        );
      }
    }
    const { bad } = result;
    if (bad === undefined) {
      const end = result.complete_at === undefined ? '' : `, and the export is complete until ${result.complete_at}`;
      this.output.say(`${result.records} records are unchanged${end}`);
      return;
    }
    const record =
      bad.sequence === undefined
        ? ''
        : ` record ${bad.sequence} of ${bad.chain_id} (call ${bad.call_id ?? 'unknown'}):`;
    throw new CommandFailedError(`${bad.where}:${record} ${bad.reason}`);
  }
}
