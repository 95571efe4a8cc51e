/** A requirement of the SCIM endpoint: its RFC section, its test file and its behaviour. */
export interface Requirement {
  section: string;
  part: 'discovery' | 'resources' | 'queries' | 'patches';
  behaviour: string;
}

const defineDiscovery = (section: string, behaviour: string): Requirement => ({
  section,
  part: 'discovery',
  behaviour,
});
const defineResources = (section: string, behaviour: string): Requirement => ({
  section,
  part: 'resources',
  behaviour,
});
const defineQueries = (section: string, behaviour: string): Requirement => ({ section, part: 'queries', behaviour });
const definePatches = (section: string, behaviour: string): Requirement => ({ section, part: 'patches', behaviour });

/**
 * The supported requirements of RFC 7643 and RFC 7644 for a service provider. The conformance tests
 * verify each of them over HTTP.
 */
export const requirements = {
  'auth:bearer': defineDiscovery(
    'RFC 7644 §2',
    'Without a valid bearer token every endpoint answers 401 with a challenge.',
  ),
  'discovery:config': defineDiscovery(
    'RFC 7643 §5',
    '/ServiceProviderConfig lists patch, filter, sort and etag as supported, bulk and changePassword as unsupported.',
  ),
  'discovery:resource-types': defineDiscovery(
    'RFC 7643 §6',
    '/ResourceTypes lists User with the enterprise extension and Group; each has its own document.',
  ),
  'discovery:schemas': defineDiscovery(
    'RFC 7643 §7',
    '/Schemas lists every schema with all characteristics of its attributes; each has its own document.',
  ),
  'discovery:no-filter': defineDiscovery('RFC 7644 §4', 'A filter on a discovery document is 403.'),
  'discovery:read-only': defineDiscovery('RFC 7644 §4', 'Discovery documents cannot be written.'),
  'discovery:unknown': defineDiscovery('RFC 7644 §4', 'A schema or resource type that does not exist is 404.'),
  'media-type': defineDiscovery('RFC 7644 §3.1, §8.1', 'Bodies are application/scim+json or application/json.'),
  'bulk:refused': defineDiscovery('RFC 7644 §3.7', 'Bulk is refused as unsupported.'),
  'me:refused': defineDiscovery('RFC 7644 §3.11', '/Me is 501, because a token does not belong to a user.'),
  'error:body': defineDiscovery(
    'RFC 7644 §3.12',
    'Every error has the Error schema, the status as text, and a readable detail.',
  ),

  'create:201': defineResources('RFC 7644 §3.3', 'POST answers 201 with the whole resource and its Location.'),
  'create:id': defineResources(
    'RFC 7643 §3.1',
    'The service chooses the id; one in the body is ignored, and it never changes.',
  ),
  'create:meta': defineResources(
    'RFC 7643 §3.1',
    'meta has resourceType, created, lastModified, location and version; a client cannot set it.',
  ),
  'create:uniqueness': defineResources('RFC 7644 §3.3, §3.12', 'A name that is taken in any case is 409 uniqueness.'),
  'create:required': defineResources('RFC 7643 §2.2', 'A missing required attribute is 400 invalidValue and named.'),
  'create:schemas': defineResources('RFC 7643 §3', 'A body that does not name its schema is 400.'),
  'create:syntax': defineResources('RFC 7644 §3.12', 'A body that is not JSON is 400 invalidSyntax.'),
  'attributes:case': defineResources('RFC 7643 §2.1', 'Attribute names ignore case.'),
  'attributes:unassigned': defineResources('RFC 7643 §2.5', 'Null, an empty list and an absent attribute are equal.'),
  'attributes:types': defineResources('RFC 7643 §2.3', 'A value of a wrong type is 400 invalidValue and named.'),
  'attributes:all': defineResources(
    'RFC 7643 §4.1, §4.3',
    'Every attribute of a user and of the enterprise extension is returned as it was sent.',
  ),
  'attributes:unknown': defineResources('RFC 7644 §3.3', 'Unknown attributes are ignored.'),
  'attributes:read-only': defineResources('RFC 7644 §3.3', 'readOnly attributes of a body are ignored.'),
  'attributes:password': defineResources('RFC 7643 §4.1.1, §9', 'A password is neither stored nor returned.'),
  'attributes:primary': defineResources('RFC 7643 §2.4', 'At most one element of a list is primary.'),
  'attributes:external-id': defineResources(
    'RFC 7643 §3.1',
    'externalId belongs to the client and is stored unchanged.',
  ),
  'user:groups': defineResources('RFC 7643 §4.1.2', 'groups of a user follows its memberships and cannot be written.'),
  'group:members': defineResources('RFC 7643 §4.2', 'Members are users and groups, with value, $ref and type.'),
  'group:display': defineResources('RFC 7643 §4.2', 'The display name of a member is returned on request.'),
  'group:name': defineResources('RFC 7643 §4.2', 'displayName of a group is required.'),
  'read:one': defineResources('RFC 7644 §3.4.1', 'GET answers one resource; 404 for an id that does not exist.'),
  'put:replaces': defineResources(
    'RFC 7644 §3.5.1',
    'PUT replaces all writable attributes and unassigns omitted attributes.',
  ),
  'put:no-create': defineResources('RFC 7644 §3.5.1', 'PUT at an id that does not exist is 404.'),
  'delete:204': defineResources('RFC 7644 §3.6', 'DELETE answers 204; afterwards the resource is 404 and in no list.'),
  'delete:name-free': defineResources('RFC 7644 §3.6', 'The name of a deleted resource can be used again.'),
  'etag:answers': defineResources(
    'RFC 7644 §3.14',
    'Answers have an ETag that equals meta.version and changes with the resource.',
  ),
  'etag:if-match': defineResources(
    'RFC 7644 §3.14',
    'A write with an If-Match that does not match is 412 and changes nothing.',
  ),
  'etag:if-none-match': defineResources('RFC 7644 §3.14', 'GET with the current version is 304.'),

  'list:form': defineQueries(
    'RFC 7644 §3.4.2',
    'A list is a ListResponse with totalResults; without matches it is 200 and empty.',
  ),
  'list:paging': defineQueries(
    'RFC 7644 §3.4.2.4',
    'startIndex counts from 1; the pages contain every resource; a page beyond the end is empty with the total.',
  ),
  'list:bounds': defineQueries(
    'RFC 7644 §3.4.2.4',
    'startIndex below 1 is 1, count below 0 is 0, count 0 returns the total only, and a large count is reduced.',
  ),
  'list:sort': defineQueries(
    'RFC 7644 §3.4.2.3',
    'sortBy and sortOrder order a list; resources without the attribute come last, first when descending.',
  ),
  'list:search': defineQueries('RFC 7644 §3.4.3', 'POST to .search answers like GET.'),
  'filter:operators': defineQueries(
    'RFC 7644 §3.4.2.2',
    'eq, ne, co, sw, ew, pr, gt, ge, lt and le select the matching resources.',
  ),
  'filter:logic': defineQueries(
    'RFC 7644 §3.4.2.2',
    'not, and, or apply in this precedence, and parentheses override it.',
  ),
  'filter:case': defineQueries('RFC 7644 §3.4.2.2', 'Names and operators ignore case; text values follow caseExact.'),
  'filter:elements': defineQueries('RFC 7644 §3.4.2.2', 'A filter in brackets must match within one element.'),
  'filter:urn': defineQueries('RFC 7644 §3.10', 'Attribute names can have the URN of their schema as a prefix.'),
  'filter:dates': defineQueries('RFC 7644 §3.4.2.2', 'Dates compare as points in time.'),
  'filter:null': defineQueries('RFC 7644 §3.4.2.2', 'An unassigned attribute equals null and matches ne.'),
  'filter:members': defineQueries('RFC 7644 §3.4.2.2', 'Groups can be found by their members.'),
  'filter:invalid': defineQueries('RFC 7644 §3.12', 'An invalid filter is 400 invalidFilter.'),
  'filter:literal': defineQueries('RFC 7644 §3.4.2.2', 'Values are literal: no wildcard, no SQL.'),
  'projection:attributes': defineQueries(
    'RFC 7644 §3.9',
    'attributes limits the answer of reads and writes; id and schemas are always included.',
  ),
  'projection:excluded': defineQueries(
    'RFC 7644 §3.9',
    'excludedAttributes omits the named attributes except id and schemas.',
  ),

  'patch:message': definePatches(
    'RFC 7644 §3.5.2',
    'A body that is not a PatchOp with operations is 400 invalidSyntax.',
  ),
  'patch:atomic': definePatches('RFC 7644 §3.5.2', 'All operations are applied or none.'),
  'patch:answer': definePatches(
    'RFC 7644 §3.5.2',
    'The answer is 200 with the resource after all operations, or 204 for a group.',
  ),
  'patch:add': definePatches(
    'RFC 7644 §3.5.2.1',
    'add sets a value, appends to a list, and does not change an equal value.',
  ),
  'patch:replace': definePatches(
    'RFC 7644 §3.5.2.3',
    'replace sets a value, a list, or the elements that a filter selects.',
  ),
  'patch:remove': definePatches(
    'RFC 7644 §3.5.2.2',
    'remove deletes a value, a list, or the elements that a filter selects.',
  ),
  'patch:complex': definePatches('RFC 7644 §3.5.2.1, §3.5.2.3', 'Parts of an object that a value does not name stay.'),
  'patch:primary': definePatches('RFC 7644 §3.5.2', 'A new primary element replaces the old one.'),
  'patch:no-target': definePatches(
    'RFC 7644 §3.5.2.2, §3.12',
    'remove without path, or with a filter that selects nothing, is 400 noTarget.',
  ),
  'patch:invalid-path': definePatches('RFC 7644 §3.12', 'An invalid path is 400 invalidPath.'),
  'patch:mutability': definePatches(
    'RFC 7644 §3.5.2, §3.12',
    'A change of a readOnly attribute or the removal of a required attribute is 400 mutability.',
  ),
  'patch:invalid-value': definePatches('RFC 7644 §3.12', 'A value of a wrong type is 400 invalidValue.'),
  'patch:uniqueness': definePatches('RFC 7644 §3.12', 'A name that is taken is 409 uniqueness, and nothing changes.'),
  'patch:members': definePatches(
    'RFC 7644 §3.5.2',
    'Members are added, removed by filter and replaced; an equal value changes nothing.',
  ),
  'patch:missing': definePatches('RFC 7644 §3.5.2', 'PATCH at an id that does not exist is 404.'),
} satisfies Record<string, Requirement>;

/** Id of a requirement. */
export type RequirementId = keyof typeof requirements;
