import {
  type DynamicModule,
  Global,
  Inject,
  type InjectionToken,
  Module,
  type OnApplicationShutdown,
  type OnModuleInit,
} from '@nestjs/common';
import { Readiness } from '../telemetry/readiness.ts';

/** A resource that a service opens before it starts and closes last, such as its database. */
export interface OpenResource<Value = unknown> {
  /** Its name in the answer of `/readyz` while it cannot be used. */
  readonly name: string;
  /** The value that the modules inject. */
  readonly value: Value;
  /** Throws when it cannot be used at the moment. */
  check(): Promise<void>;
  /** Is called once, after everything else has shut down. */
  close(): Promise<void>;
}

const RESOURCE = Symbol('resource');

/** Provides a resource to all modules, registers its readiness check, and closes it last. */
@Global()
@Module({})
export class ResourceModule implements OnModuleInit, OnApplicationShutdown {
  constructor(
    @Inject(RESOURCE) private readonly resource: OpenResource,
    private readonly readiness: Readiness,
  ) {}

  /**
   * @param token by which the modules ask for the resource's value
   * @param resource stays open until the application has shut down; undefined where the service is
   * only described
   */
  static of(token: InjectionToken, resource: OpenResource | undefined): DynamicModule {
    return {
      module: ResourceModule,
      providers: [
        { provide: RESOURCE, useValue: resource },
        { provide: token, useValue: resource?.value },
      ],
      exports: [token],
    };
  }

  onModuleInit(): void {
    this.readiness.register(this.resource.name, () => this.resource.check());
  }

  async onApplicationShutdown(): Promise<void> {
    await this.resource.close();
  }
}
