/** Asks the server. Every refusal comes back as one sentence, with a code. */

import { say, T as TEXTS } from '../language.svelte';
import type { Catalogue, GameState, Said, Trouble } from './types';

export class Refused extends Error {
  constructor(
    readonly status: number,
    readonly trouble: Trouble,
    /** After how many seconds the server takes the same question, if it said so. */
    readonly retryAfter: number | null = null,
  ) {
    super(trouble.said ? say(trouble.said) : trouble.message);
  }

  /** What would be right, if the server says so. */
  get hint(): string | null {
    return this.trouble.hint_said ? say(this.trouble.hint_said) : (this.trouble.hint ?? null);
  }

  get code(): string {
    return this.trouble.code;
  }
}

/** What to say of whatever went wrong. */
export function sentenceOf(why: unknown): string {
  return why instanceof Error ? why.message : String(why);
}

const offline = (): Trouble => ({ code: 'offline', message: TEXTS.trouble.offline });

async function send(path: string, init: RequestInit): Promise<Response> {
  let answer: Response;
  try {
    answer = await fetch(path, { credentials: 'same-origin', ...init });
  } catch {
    throw new Refused(0, offline());
  }
  if (answer.ok) return answer;
  let trouble: Trouble;
  try {
    trouble = (await answer.json()) as Trouble;
  } catch {
    trouble = { code: 'fault', message: TEXTS.trouble.fault(answer.status) };
  }
  throw new Refused(answer.status, trouble, Number(answer.headers.get('Retry-After')) || null);
}

async function ask<T>(path: string, init: RequestInit): Promise<T> {
  const answer = await send(path, init);
  return (answer.status === 204 ? undefined : await answer.json()) as T;
}

export function get<T>(path: string): Promise<T> {
  return ask<T>(path, { method: 'GET' });
}

const asJson = (body: unknown, key?: string): RequestInit => ({
  method: 'POST',
  headers: { 'Content-Type': 'application/json', ...(key && { 'Idempotency-Key': key }) },
  body: JSON.stringify(body),
});

export function post<T>(path: string, body: unknown, key?: string): Promise<T> {
  return ask<T>(path, asJson(body, key));
}

/** The same for what is answered in plain text. */
export async function postForText(path: string, body: unknown): Promise<string> {
  return (await send(path, asJson(body))).text();
}

export function remove<T>(path: string): Promise<T> {
  return ask<T>(path, { method: 'DELETE' });
}

/** The games and levels, whose names and sentences are read in the language that is spoken then. */
function inOurLanguage({ version, games, levels }: Catalogue): Catalogue {
  const speaking = <About extends object>(about: About, of: Record<string, Said>): About =>
    Object.defineProperties(
      { ...about },
      Object.fromEntries(Object.entries(of).map(([name, said]) => [name, { get: () => say(said), enumerable: true }])),
    );
  return {
    version,
    games: games.map((game) => speaking(game, { sentence: game.sentence_said })),
    levels: levels.map((level) => speaking(level, { name: level.name_said, sentence: level.sentence_said })),
  };
}

let catalogueAsked: Promise<Catalogue> | null = null;

export function catalogue(): Promise<Catalogue> {
  catalogueAsked ??= get<Catalogue>('/api/catalogue')
    .then(inOurLanguage)
    .catch((trouble: unknown) => {
      catalogueAsked = null;
      throw trouble;
    });
  return catalogueAsked;
}

export function gameState(id: string): Promise<GameState> {
  return get<GameState>(`/api/games/${id}`);
}
