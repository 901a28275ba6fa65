// SPDX-License-Identifier: Apache-2.0
// Four in a row with one person, in the sheet: each move is a private message. It is fetched by
// whoever plays.
'use strict';

async function play(more) {
  const { key } = game.who, { busy } = game;
  if (busy.has(key)) return;
  busy.add(key);
  drawBusy();
  await doing(null, async () => {
    drawGame(await wire.act('play', { who: key, ...more }));
    // What was read meanwhile can be older or newer.
    refresh('game');
  });
  busy.delete(key);
  drawBusy();
}

// Buttons that are off lose the focus: these only say it.
function drawBusy() {
  if (!game.who) return;
  for (const one of [...game.columns, game.begin, game.give]) {
    one.setAttribute('aria-disabled', game.busy.has(game.who.key));
  }
}

function showGame(who) {
  game.who = who;
  game.columns = game.names.map(column =>
    el('button', { type: 'button', onclick: () => play({ column }) }, column));
  game.state = el('p', { role: 'status' });
  game.begin = button(t('game.new'), () => { play({ new: true }); });
  game.give = button(t('game.give'), () => { play({ give_up: true }); }, 'grave');
  openSheet(`${t('game.title')}: ${flight.name(who)}`,
    [el('div', { class: 'board' }, ...game.columns), game.state], [game.begin, game.give]);
  drawBusy();
  read('game');
}

// The buttons stay, so that whoever plays with keys is still where they were.
function drawGame(said) {
  if (!game.who || game.who.key !== said.who.key) return;
  const name = flight.name(said.who), four = said.four || [];
  game.columns.forEach((place, at) => {
    const column = game.names[at], stones = said.board.map(row => row[at]);
    place.replaceChildren(el('b', {}, column), ...stones.map((stone, down) =>
      el('i', { class: stone + (four.includes(column + (6 - down)) ? ' four' : '') },
        stone === '.' ? '' : stone)));
    place.setAttribute('aria-label', [t('game.column', { column }), ...stones.reverse()
      .filter(stone => stone !== '.').map(stone => stone === 'x' ? t('you') : name)].join(', '));
  });
  const isRunning = said.state === 'running', column = said.moves.slice(-1);
  const word = isRunning || said.state === 'none' ? said.turn ? 'yours' : 'theirs' : said.state;
  game.state.textContent = [
    column && said.turn && t('game.played', { name, column }), t('game.' + word, { name }),
    said.refused && t('game.refused', { name }), said.line === 'gave-up' && t('message.gave-up'),
  ].filter(Boolean).join(' ');
  game.begin.hidden = isRunning;
  game.give.hidden = !isRunning;
}

readers.game = async () => {
  const { who } = game;
  if (who) await doing(null, async () => drawGame(await wire.look('game', { who: who.key })));
};
