import { SecretsError } from '../secrets-error.ts';
import { findNameProblem } from './secret-name.ts';

const FORM = 'NAME,target=TARGET';

/**
 * A reference to a secret that a workload receives as an environment variable: the value of
 * `--secret` and an element of `secrets` in exported configurations, `NAME,target=TARGET`. It holds
 * no value, so that it can be stored, exported and logged.
 */
export class SecretReference {
  private constructor(
    /** The name of the secret at its provider. */
    readonly name: string,
    /** The environment variable that receives the value. */
    readonly target: string,
  ) {}

  /**
   * Parses `NAME,target=TARGET`. The first comma ends the name.
   * @param origin the flag or field that holds the text, for messages
   * @throws SecretsError (invalid_secret_reference) with the flag and the problem
   */
  static parse(text: string, origin = '--secret'): SecretReference {
    const match = /^([^,]*),target=(.*)$/s.exec(text);
    const [, name = '', target = ''] = match ?? [];
    const problem =
      match === null ? `is not in the form ${FORM}` : (findNameProblem(name) ?? findTargetProblem(target));
    if (problem !== undefined) {
      // A text in another form can be a value that was typed by mistake: it is not repeated.
      const shown = match === null ? origin : `${origin} ${JSON.stringify(text.slice(0, 200))}`;
      throw new SecretsError('invalid_secret_reference', `${shown} ${problem}`, [
        `--secret github-token,target=GITHUB_TOKEN`,
      ]);
    }
    return new SecretReference(name, target);
  }

  /** The form of the flag and of exported configurations. */
  toString(): string {
    return `${this.name},target=${this.target}`;
  }

  /** JSON holds the form of exported configurations. */
  toJSON(): string {
    return this.toString();
  }
}

/** The reason why a text cannot name an environment variable; undefined for a valid name. */
function findTargetProblem(target: string): string | undefined {
  if (target === '') return 'has an empty target';
  if (target.includes('=')) return 'has an = in its target, which is the name of an environment variable';
  return /[\s\p{Cc}]/u.test(target) ? 'has a blank or control character in its target' : undefined;
}
