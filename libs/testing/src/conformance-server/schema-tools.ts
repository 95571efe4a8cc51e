import { answerText, type FixtureTool } from './fixture-tool.ts';

/** Keywords of JSON Schema 2020-12 that must reach the client (SEP-1613, SEP-2106). */
const WIDE_SCHEMA = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  type: 'object',
  $defs: {
    address: {
      $anchor: 'addressDef',
      type: 'object',
      properties: { street: { type: 'string' }, city: { type: 'string' } },
    },
  },
  properties: {
    name: { type: 'string' },
    address: { $ref: '#/$defs/address' },
    contactMethod: { type: 'string', enum: ['phone', 'email'] },
    phone: { type: 'string' },
    email: { type: 'string' },
  },
  allOf: [{ anyOf: [{ required: ['phone'] }, { required: ['email'] }] }],
  if: { properties: { contactMethod: { const: 'phone' } }, required: ['contactMethod'] },
  then: { required: ['phone'] },
  else: { required: ['email'] },
  additionalProperties: false,
};

/** Tools whose input schema is the thing under test. */
export const schemaTools: Record<string, FixtureTool> = {
  json_schema_2020_12_tool: {
    description: 'Repeats arguments that a wide JSON Schema describes.',
    inputSchema: WIDE_SCHEMA,
    call: (args) => answerText(JSON.stringify(args)),
  },
  // The header Mcp-Param-Region must repeat the argument (SEP-2243).
  test_x_mcp_header: {
    description: 'Repeats an argument that is also sent as a header.',
    inputSchema: {
      type: 'object',
      properties: { region: { type: 'string', 'x-mcp-header': 'Region' } },
      required: ['region'],
    },
    call: (args) => answerText(String(args['region'])),
  },
};
