import { describe, expect, it } from '@jest/globals';
import { Body, Controller, Get, Module, Param, Post, Put, Query } from '@nestjs/common';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { Requires } from '../routes/access.ts';
import { IfMatch } from '../http/etag.ts';
import { generateOpenApi } from './openapi.ts';
import { Operation } from '../routes/operation.ts';
import { pageParameters } from '../http/paging.ts';

const GroupMember = z
  .object({ id: z.string(), display: z.string(), type: z.enum(['User', 'Group']) })
  .meta({ id: 'GroupMember' });
const Group = z
  .object({
    created_at: z.string(),
    description: z.string(),
    display_name: z.string(),
    id: z.string(),
    members: z.array(GroupMember).optional(),
    name: z.string(),
    source: z.string(),
    updated_at: z.string(),
    transitive_member_count: z.int(),
  })
  .meta({ id: 'Group', description: 'A group of people' });
const GroupPage = z
  .object({ items: z.array(Group), next_cursor: z.string(), prev_cursor: z.string() })
  .meta({ id: 'GroupPage' });
const GroupCreate = z
  .strictObject({ display_name: z.string().min(1), description: z.string().optional() })
  .meta({ id: 'GroupCreate' });
const GroupListQuery = z.strictObject({
  name: z.string().optional(),
  display_name: z.string().optional(),
  source: z.string().optional(),
  search: z.string().optional(),
  ...pageParameters(),
});
const GroupRef = z.object({ id: z.string(), name: z.string() }).meta({ id: 'GroupRef' });
const ConnectorPolicy = z
  .object({
    connector_id: z.string(),
    document: z.string(),
    granted_user_groups: z.array(GroupRef),
    mode: z.enum(['structured', 'cedar']),
  })
  .meta({ id: 'ConnectorPolicy' });
const PolicyGroupsWrite = z.strictObject({ group_ids: z.array(z.string()) }).meta({ id: 'PolicyGroupsWrite' });
const IdPath = z.strictObject({ id: z.uuid() });

@Controller('v1')
class SampleController {
  @Get('groups')
  @Requires('admin', 'auditor')
  @Operation({ summary: 'List groups', success: { status: 200, schema: GroupPage }, errors: [400] })
  list(@Query({ schema: GroupListQuery }) query: unknown) {
    return query;
  }

  @Post('groups')
  @Requires('admin')
  @Operation({ summary: 'Create group', success: { status: 201, schema: Group }, errors: [409] })
  create(@Body({ schema: GroupCreate }) body: unknown) {
    return body;
  }

  @Get('connectors/:id/policy')
  @Requires('admin', 'auditor')
  @Operation({
    summary: 'Get connector policy',
    success: { status: 200, schema: ConnectorPolicy },
    errors: [404],
    ifNoneMatch: true,
  })
  policy(@Param({ schema: IdPath }) path: unknown) {
    return path;
  }

  @Put('connectors/:id/policy/groups')
  @Requires('admin')
  @Operation({
    summary: "Replace a connector policy's granted user groups",
    success: { status: 200, schema: ConnectorPolicy },
    errors: [404, 409, 422],
    ifMatch: 'required',
  })
  replace(
    @Param({ schema: IdPath }) path: unknown,
    @Body({ schema: PolicyGroupsWrite }) body: unknown,
    @IfMatch() match: string | undefined,
  ) {
    return [path, body, match];
  }
}

@Module({
  controllers: [SampleController],
  providers: [{ provide: 'DATABASE', useFactory: () => Promise.reject(new Error('the document needs no database')) }],
})
class SampleModule {}

const service = { name: 'sample', title: 'Sample', description: 'For tests', version: '1.0.0', module: SampleModule };
const wire = fileURLToPath(new URL('../../../../tools/contracts/wire/', import.meta.url));
const names = [
  'List groups',
  'Create group',
  'Get connector policy',
  "Replace a connector policy's granted user groups",
  'Health check',
  'Readiness check',
];

function check(document: object): string {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-openapi-'));
  const contract = JSON.parse(execFileSync('cat', [join(wire, 'enterprise-manager.json')], { encoding: 'utf8' })) as {
    operations: { name: string }[];
  };
  contract.operations = contract.operations.filter((operation) => names.includes(operation.name));
  expect(contract.operations).toHaveLength(names.length);
  writeFileSync(join(folder, 'contract.json'), JSON.stringify(contract));
  writeFileSync(join(folder, 'openapi.json'), JSON.stringify(document));
  try {
    return execFileSync(
      process.execPath,
      [join(wire, 'check.mjs'), join(folder, 'contract.json'), join(folder, 'openapi.json')],
      { encoding: 'utf8' },
    );
  } catch (error) {
    return String((error as { stdout?: unknown }).stdout);
  }
}

describe('generateOpenApi', () => {
  it('returns a document that conforms to the wire contract', async () => {
    expect(check(await generateOpenApi(service))).toContain(`${names.length} of ${names.length} operations conform`);
  });

  it('returns the same bytes each time and starts no provider', async () => {
    const [first, second] = [await generateOpenApi(service), await generateOpenApi(service)];
    expect(JSON.stringify(second)).toBe(JSON.stringify(first));
    expect(first.openapi).toBe('3.1.0');
  });

  it('includes each named schema once and resolves all references', async () => {
    const document = await generateOpenApi(service);
    const { schemas } = document['components'] as { schemas: Record<string, unknown> };
    expect(Object.keys(schemas)).toEqual([
      'ConnectorPolicy',
      'FailureBody',
      'Group',
      'GroupCreate',
      'GroupMember',
      'GroupPage',
      'GroupRef',
      'HealthBody',
      'PolicyGroupsWrite',
      'ProtectedResourceMetadata',
    ]);
    for (const [, name = ''] of JSON.stringify(document).matchAll(/"\$ref":"([^"]+)"/g)) {
      expect(schemas).toHaveProperty([name.replace('#/components/schemas/', '')]);
    }
  });

  it('documents failures, headers and security of each route', async () => {
    const { paths } = await generateOpenApi(service);
    const replace = paths['/v1/connectors/{id}/policy/groups']?.['put'] as Record<string, object>;
    expect(Object.keys(replace['responses'] ?? {})).toEqual([
      '200',
      '400',
      '401',
      '403',
      '404',
      '409',
      '412',
      '413',
      '415',
      '422',
      '428',
      '431',
      '500',
      '503',
    ]);
    expect(replace['responses']).toMatchObject({
      503: { headers: { 'Retry-After': {} } },
      401: { headers: { 'WWW-Authenticate': {} } },
    });
    expect(replace['security']).toEqual([{ bearer: [] }]);
    const read = paths['/v1/connectors/{id}/policy']?.['get'] as Record<string, object>;
    expect(read['responses']).toMatchObject({ 200: { headers: { ETag: {} } }, 304: { headers: { ETag: {} } } });
    expect((paths['/healthz']?.['get'] as Record<string, object>)['security']).toEqual([]);
  });

  it('names an input separately if it differs from the output', async () => {
    const Shared = z.object({ size: z.int().default(1) }).meta({ id: 'Shared' });
    @Controller('shared')
    class SharedController {
      @Post()
      @Requires('user')
      @Operation({ summary: 'Share', success: { status: 200, schema: Shared }, errors: [] })
      share(@Body({ schema: Shared }) body: unknown) {
        return body;
      }
    }
    @Module({ controllers: [SharedController] })
    class SharedModule {}
    const document = await generateOpenApi({ ...service, module: SharedModule });
    expect(document['components']).toMatchObject({
      schemas: { Shared: { required: ['size'] }, SharedInput: { type: 'object' } },
    });
  });
});
