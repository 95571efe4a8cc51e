import { describe, expect, it } from '@jest/globals';
import { listHostRoutes, parseRoutes } from './host-routes.ts';

const TABLES = `Main:
  +-- 0.0.0.0/0 3 0 4
     |-- 0.0.0.0
        /0 universe UNICAST
     +-- 172.17.0.0/31 1 0 0
        |-- 172.17.0.0
           /16 link UNICAST
        |-- 172.17.0.1
           /32 host LOCAL
Id 52:
  +-- 0.0.0.0/0 3 0 4
     |-- 10.8.0.0
        /24 universe UNICAST
        /16 universe UNICAST
`;

describe('parseRoutes', () => {
  it('parses the routes of every table, also several to one address', () => {
    expect(parseRoutes(TABLES)).toEqual(['0.0.0.0/0', '172.17.0.0/16', '172.17.0.1/32', '10.8.0.0/24', '10.8.0.0/16']);
  });
});

describe('listHostRoutes', () => {
  it('contains the loopback network of this machine', () => {
    expect(listHostRoutes()).toContain('127.0.0.1/8');
  });
});
