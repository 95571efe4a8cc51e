import { describe, expect, it } from '@jest/globals';
import { listGrantedModels } from './granted-models.ts';
import { listModels } from './model-list.ts';
import { createGateway, createPolicy } from './resources.fixture.ts';

const backends = (provider: string) => [{ provider, weight: 1, priority: 0 }];
const GATEWAY = createGateway({
  providers: [
    { name: 'main', kind: 'anthropic', endpoint: 'https://api.anthropic.com' },
    { name: 'other', kind: 'google', endpoint: 'https://generativelanguage.googleapis.com' },
  ],
  routes: [
    { match: { model: 'b' }, displayName: 'First', contextWindow: 1000, backends: backends('main') },
    { match: { model: 'a' }, backends: [...backends('other'), ...backends('main')] },
    { match: { model: 'b' }, displayName: 'Second', backends: backends('other') },
    { match: { model: 'c' }, backends: backends('absent') },
  ],
  defaultRoute: { backends: backends('main') },
});

describe('listGrantedModels', () => {
  it('unites the grants of all budgets of all policies', () => {
    const policies = [
      createPolicy('one', {
        budgets: [
          { name: 'x', models: ['b', 'z'] },
          { name: 'y', models: [] },
        ],
      }),
      createPolicy('two', { budgets: [{ name: 'x', models: ['a', 'b'] }] }),
      createPolicy('three'),
    ];
    expect(listGrantedModels(policies, GATEWAY.spec)).toEqual({ models: ['a', 'b', 'z'], isUnrestricted: false });
  });

  it('adds all models with a route for the grant *', () => {
    const policies = [createPolicy('one', { budgets: [{ name: 'x', models: ['*', 'z'] }] })];
    expect(listGrantedModels(policies, GATEWAY.spec)).toEqual({ models: ['a', 'b', 'c', 'z'], isUnrestricted: true });
  });

  it('grants nothing without policies or without routes', () => {
    expect(listGrantedModels([], GATEWAY.spec)).toEqual({ models: [], isUnrestricted: false });
    const all = createPolicy('one', { budgets: [{ name: 'x', models: ['*'] }] });
    expect(listGrantedModels([all], createGateway().spec)).toEqual({ models: [], isUnrestricted: true });
  });
});

describe('listModels', () => {
  it('lists each model once, sorted, as its first route describes it', () => {
    const created = 1_769_860_800;
    expect(listModels(GATEWAY)).toEqual({
      object: 'list',
      data: [
        { id: 'a', object: 'model', created, owned_by: 'google' },
        { id: 'b', object: 'model', created, owned_by: 'anthropic', display_name: 'First', context_window: 1000 },
        { id: 'c', object: 'model', created, owned_by: 'absent' },
      ],
    });
  });

  it('lists nothing without routes', () => {
    expect(listModels(createGateway())).toEqual({ object: 'list', data: [] });
  });
});
