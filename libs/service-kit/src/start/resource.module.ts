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

/** A resource that a service opens before its start and closes last, such as its database. */
export interface OpenResource<Value = unknown> {
  /** Name in the answer of `/readyz` while the resource is unavailable. */
  readonly name: string;
  /** The value that the modules inject. */
  readonly value: Value;
  /** Throws while the resource is unavailable. */
  check(): Promise<void>;
  /** Is called once, as the last step of the shutdown. */
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
   * @param token injection token of the resource's value
   * @param resource stays open until the application has shut down; undefined for the generation of
   * the OpenAPI document
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
