import { Flags } from '@oclif/core';
import { ManagerCommand } from '../../../base/manager-command.ts';
import { usageFilter, usageFlags } from '../../../flags/metering-flags.ts';
import { timeSeries } from '../../../services/manager/metering.ts';
import { definedOnly } from '../../../flags/spend-flags.ts';

const WIDTHS = { hour: 3600, day: 86400, week: 604800, month: 2592000 } as const;

/** `gatehouse admin metering timeseries`. */
export default class AdminMeteringTimeseries extends ManagerCommand {
  static override summary = 'show calls over time';
  static override examples = [
    '<%= config.bin %> admin metering timeseries --from 24h',
    '<%= config.bin %> admin metering timeseries --from 720h --every day --by tool --json',
  ];
  static override flags = {
    ...usageFlags,
    by: Flags.option({
      description: 'dimension of the breakdown of each bucket',
      options: ['environment', 'tool', 'decision', 'connector'] as const,
    })(),
    every: Flags.option({
      description: 'width of a bucket; a month has 30 days',
      options: ['hour', 'day', 'week', 'month'] as const,
    })(),
  };

  async run(): Promise<void> {
    const { flags } = await this.read(AdminMeteringTimeseries);
    const bucket_width_seconds = flags.every && WIDTHS[flags.every];
    const query = { ...usageFilter(flags), ...definedOnly({ dimension: flags.by, bucket_width_seconds }) };
    const series = await timeSeries(await this.manager(flags), query);
    if (flags.json) {
      this.output.json(series);
      return;
    }
    await this.showList(
      false,
      { items: series.buckets },
      [
        ['FROM', (bucket) => bucket.bucket_start],
        ['CALLS', (bucket) => bucket.tool_call_count],
        ...(flags.by === undefined
          ? []
          : ([
              [
                flags.by.toUpperCase(),
                (bucket) =>
                  bucket.breakdown.map(({ key, tool_call_count: calls }) => `${key || '-'}: ${calls}`).join(', '),
              ],
            ] as const satisfies readonly [string, (bucket: (typeof series.buckets)[number]) => string][])),
      ],
      'No calls',
    );
  }
}
