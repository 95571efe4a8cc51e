import { CONNECTOR } from './decisions.ts';

/** A document and its first fault: undefined for a valid one, or [line, column]. */
export interface DocumentCase {
  readonly name: string;
  readonly document: string;
  readonly refused?: readonly [number, number];
  /** A part of the message. */
  readonly because?: string;
}

/**
 * Documents in the style of Cedar's tutorials and example applications, in their original form and
 * adapted to this schema.
 */
export const DOCUMENTS: readonly DocumentCase[] = [
  {
    name: 'photo sharing, with other types',
    document:
      'permit(\n  principal == User::"alice",\n  action == Action::"view",\n  resource == Photo::"vacation.jpg"\n);',
    refused: [3, 13],
    because: 'Photo',
  },
  {
    name: 'photo sharing, with this schema',
    document:
      'permit(\n  principal in Group::"friends",\n  action == Action::"call_tool",\n  resource == Tool::"view_photo"\n);',
  },
  {
    name: 'private documents: the owner only',
    document:
      'forbid(principal, action, resource)\nwhen { resource.isPrivate }\nunless { principal == resource.owner };',
    refused: [2, 8],
    because: 'isPrivate',
  },
  {
    name: 'task lists: readers and editors of the list itself',
    document: 'permit(principal, action == Action::"call_tool", resource)\nwhen { principal in resource.readers };',
    refused: [2, 21],
    because: 'readers',
  },
  {
    name: 'repositories: a hierarchy of roles in a namespace',
    document: 'permit(principal, action == GitApp::Action::"push", resource)\nwhen { principal in resource.writers };',
    refused: [1, 29],
    because: 'GitApp',
  },
  {
    name: 'hotel chains: a template',
    document: '@id("hotel")\npermit(principal in ?principal, action, resource in ?resource);',
    refused: [1, 1],
    because: 'templates',
  },
  {
    name: 'tax preparers: sets of records in the principal',
    document:
      'permit(principal, action == Action::"call_tool", resource)\nwhen { principal.assigned_orgs.contains({organization: "x", serviceline: "y"}) };',
    refused: [2, 8],
    because: 'assigned_orgs',
  },
  {
    name: 'streaming: times in the context',
    document: 'permit(principal, action, resource)\nwhen { context.now.datetime < datetime("2026-01-01") };',
    refused: [2, 8],
    because: 'now',
  },
  {
    name: 'tags, which the schema does not have',
    document: 'permit(principal, action, resource)\nwhen { principal.hasTag("role") };',
  },
  {
    name: 'roles as groups, with an exception',
    document:
      'permit(principal in Group::"engineers", action, resource)\nunless { resource is Tool && ["drop", "truncate"].contains(resource.name) };',
  },
  {
    name: 'attributes of the token',
    document:
      '@id("staff")\npermit(principal, action, resource)\nwhen { principal has claim_email && principal.claim_email like "*@example.com" &&\n       principal has claim_email_verified && principal.claim_email_verified };',
  },
  {
    name: 'break glass: one forbid for all',
    document: '@id("closed")\nforbid(principal, action, resource)\nunless { principal in Group::"responders" };',
  },
  {
    name: 'a claim without a guard',
    document: 'permit(principal, action, resource)\nwhen { principal.claim_email == "x" };',
    refused: [2, 8],
    because: 'claim_email',
  },
  {
    name: 'a claim compared with a number',
    document: 'permit(principal, action, resource)\nwhen { principal has claim_email && principal.claim_email == 7 };',
    refused: [2, 37],
  },
  {
    name: 'a claim that is not mapped',
    document: 'permit(principal, action, resource)\nwhen { principal has claim_department };',
    refused: [2, 22],
    because: 'claim_department',
  },
  {
    name: 'an unknown action',
    document: '\n  permit(principal, action == Action::"delete", resource);',
    refused: [2, 31],
    because: 'delete',
  },
  {
    name: 'an action that does not fit the resource',
    document: 'permit(principal, action == Action::"connect", resource is Tool);',
  },
  {
    name: 'an unknown type',
    document: 'permit(principal in Team::"x", action, resource);',
    refused: [1, 21],
    because: 'Team',
  },
  {
    name: 'another connector',
    document: `permit(principal, action, resource in Connector::"${CONNECTOR}");\npermit(principal, action, resource in Connector::"other");`,
    refused: [2, 50],
    because: 'only about this connector',
  },
  {
    name: 'another connector inside an expression',
    document: 'permit(principal, action == Action::"connect", resource)\nwhen { resource == Connector::"other" };',
    refused: [2, 31],
    because: 'only about this connector',
  },
  {
    name: 'a group in a group',
    document: 'permit(principal, action, resource)\nwhen { Group::"a" in Group::"b" };',
    refused: [2, 29],
    because: 'principal in',
  },
  { name: 'no semicolon', document: 'permit(principal, action, resource)', refused: [1, 36] },
  { name: 'a variable in the wrong place', document: 'permit(principal, action, nonsense);', refused: [1, 27] },
  {
    name: 'a string that does not end',
    document: 'permit(principal == User::"x, action, resource);',
    refused: [1, 27],
  },
  { name: 'a policy of another language', document: '{"Statement": [{"Effect": "Allow"}]}', refused: [1, 1] },
  { name: 'an unknown function', document: 'permit(principal, action, resource) when { now() };', refused: [1, 44] },
  {
    name: 'two policies with one name',
    document: '@id("a") permit(principal, action, resource);\n@id("a") forbid(principal, action, resource);',
    refused: [2, 1],
    because: 'two policies',
  },
  {
    name: 'a repeated annotation',
    document: '@id("a") @id("b") permit(principal, action, resource);',
    refused: [1, 10],
  },
  { name: 'a null byte', document: 'permit(principal, action, resource);\u0000', refused: [1, 37] },
];
