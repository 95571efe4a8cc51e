import type { SecretsEnvironment } from '@gatehouse/secrets/config';
import { systemKeyring } from '@gatehouse/secrets/keyring';
import type { SecretsSettings } from '@gatehouse/secrets/open-secrets';
import { askHidden, canAskHidden } from '../../terminal/hidden-prompt.ts';
import { withoutProgress } from '../../terminal/progress.ts';

/**
 * The settings of secrets for a command of this home. A person is asked only on a terminal, and
 * once for each question.
 */
export function createSecretsSettings(home: string, given: SecretsEnvironment): SecretsSettings {
  const { provider, hasEnvironmentFallback, password, passwordFile, environment } = given;
  const ask = canAskHidden() ? askOnce() : undefined;
  return {
    ...{ home, provider, hasEnvironmentFallback, environment },
    passwords: { password, passwordFile, keyring: systemKeyring, ask },
  };
}

function askOnce(): (question: string) => Promise<string> {
  const answers = new Map<string, Promise<string>>();
  return (question) => {
    const answer = answers.get(question) ?? withoutProgress(() => askHidden(question));
    answers.set(question, answer);
    return answer;
  };
}
