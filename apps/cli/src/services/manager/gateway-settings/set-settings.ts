import type { Manager } from '../manager.ts';
import { putGatewaySettings, readGatewaySettings, type TaggedSettings } from './gateway-settings.ts';
import { applySettingChanges, type SettingChange } from './settings-changes.ts';

/** How often a change is repeated when others change the settings at the same time. */
const MAX_REPEATS = 5;

/**
 * Changes single settings of a gateway. Changes of others to other settings stay.
 * @throws CliError
 */
export async function setGatewaySettings(
  manager: Manager,
  gateway: string,
  changes: readonly SettingChange[],
): Promise<TaggedSettings> {
  for (let attempt = 1; ; attempt += 1) {
    const { settings, etag } = await readGatewaySettings(manager, gateway);
    const outcome = await putGatewaySettings(manager, gateway, applySettingChanges({ ...settings }, changes), etag);
    if (outcome.kind === 'saved') return outcome.state;
    if (outcome.kind === 'invalid' || attempt === MAX_REPEATS) throw outcome.error;
  }
}
