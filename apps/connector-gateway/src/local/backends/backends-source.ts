import type { PlaneLog } from '../../mcp/ports/plane-log.ts';
import { StartError } from '@gatehouse/service-kit/start-error';
import { FileProblemError } from '@gatehouse/yaml-files/file-problem';
import { basename } from 'node:path';
import { Rules } from '../../mcp/access/access.ts';
import type { Backend } from './backends-schema.ts';
import { type BackendRules, checkBackends } from './backends-check.ts';
import { findSecretSource, getSecretId, type SecretSource } from './backend-secrets.ts';
import { parseBackendsText } from './backends-text.ts';
import { FollowedFile } from './followed-file.ts';
import { createSnapshot } from './local-snapshot.ts';

/** The place of the backends: a file, or the text of an environment variable. */
export type BackendsPlace = { path: string } | { text: string };

/** Backends in force. */
export interface LoadedBackends {
  rules: Rules;
  /** The sources of secrets by id. */
  secrets: ReadonlyMap<string, SecretSource>;
}

/**
 * Loads the backends, and follows their file. Invalid content has no effect: the last valid one
 * stays in force.
 */
export class BackendsSource {
  private readonly file: FollowedFile | undefined;
  private rules: Rules | undefined;
  /** Valid policies by backend. */
  private policies: ReadonlyMap<string, string> = new Map();
  private currentProblem: string | undefined;

  constructor(
    private readonly place: BackendsPlace,
    private readonly checks: BackendRules,
    private readonly log: PlaneLog,
  ) {
    this.file = 'path' in place ? new FollowedFile(place.path) : undefined;
  }

  /** A sentence about the invalid content of the file; undefined without a problem. */
  get problem(): string | undefined {
    return this.currentProblem;
  }

  /** Loads the backends for the first time. @throws StartError */
  async load(): Promise<LoadedBackends> {
    try {
      return await this.take(await this.readText());
    } catch (error) {
      if (!(error instanceof FileProblemError)) throw error;
      throw new StartError(`${describe(this.getName(), error)} Correct it and start the gateway again.`, {
        cause: error,
      });
    }
  }

  /** Calls the listener after each change with valid content, until `stop`. */
  follow(listener: (loaded: LoadedBackends) => void): void {
    this.file?.follow(async (content) => {
      try {
        if (content instanceof FileProblemError) throw content;
        const loaded = await this.take(content);
        this.currentProblem = undefined;
        listener(loaded);
        this.log.info({ backends: loaded.rules.connectors.length }, 'the backends have changed');
      } catch (error) {
        this.handleProblem(error);
      }
    });
  }

  async stop(): Promise<void> {
    await this.file?.stop();
  }

  private async readText(): Promise<string> {
    return 'text' in this.place ? this.place.text : ((await this.file?.read()) ?? '');
  }

  private getName(): string {
    return 'path' in this.place ? basename(this.place.path) : 'BACKENDS';
  }

  private async take(text: string): Promise<LoadedBackends> {
    const parsed = parseBackendsText(text);
    await checkBackends(parsed, this.checks, this.policies);
    const { backends } = parsed.backends;
    this.rules = await Rules.parse(createSnapshot(parsed.backends, this.checks.claims), this.rules);
    this.policies = new Map(backends.flatMap(({ name, policy }) => (policy === undefined ? [] : [[name, policy]])));
    return { rules: this.rules, secrets: collectSecrets(backends) };
  }

  private handleProblem(error: unknown): void {
    const sentence =
      error instanceof FileProblemError
        ? describe(this.getName(), error)
        : `${this.getName()}: the content could not be checked.`;
    this.currentProblem = `${sentence} Correct it: until then the last valid content stays in force.`;
    this.log.error({ err: error }, this.currentProblem);
  }
}

const MAX_REASON = 500;

function describe(file: string, { reason, position }: FileProblemError): string {
  const place = position === undefined ? '' : `, line ${position.line}, column ${position.column}`;
  const shown = reason.length > MAX_REASON ? `${reason.slice(0, MAX_REASON)}…` : reason;
  return `${file}${place}: the content ${shown.replace(/\.$/, '')}.`;
}

function collectSecrets(backends: readonly Backend[]): ReadonlyMap<string, SecretSource> {
  const sources = backends.map(findSecretSource).filter((source) => source !== undefined);
  return new Map(sources.map((source) => [getSecretId(source), source]));
}
