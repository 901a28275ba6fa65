// SPDX-License-Identifier: Apache-2.0
// A guest's key goes along to a computer of their own: asked once, then a code and a text to show.
'use strict';

// Characters of a passphrase at least.
const phraseLeast = 10;

function takeSheet() {
  const input = (id, word) => {
    const field = el('input', { type: 'password', id, maxlength: '200', autocomplete: 'new-password' });
    return [el('label', { for: id }, t(word)), field];
  };
  const first = input('take-first', 'take.phrase'), second = input('take-again', 'take.again');
  const state = el('p', { role: 'status' });
  const send = button(t('take.send'), async () => {
    // As a keyboard of another system would type it.
    const [passphrase, again] = [first[1].value, second[1].value].map(text => text.normalize('NFC'));
    if (passphrase !== again || [...passphrase].length < phraseLeast) {
      state.textContent = t('take.differ');
      return first[1].focus();
    }
    state.textContent = t('take.waits');
    try {
      // Not kept in this browser: a question that was lost is asked again by hand.
      const said = await wire.look('take-key', { passphrase });
      first[1].value = second[1].value = '';
      showTaken(said);
    } finally { state.textContent = ''; }
  }, 'main');
  openSheet(t('guest.take'), [el('p', {}, t('take.what')), el('p', { class: 'quiet' }, t('take.stays')),
    ...first, ...second, state], [send]);
}

// Black on white in both themes, with the light edge that readers need.
function drawCode(rows) {
  const edge = 4, dot = 4, side = (rows.length + 2 * edge) * dot;
  const canvas = el('canvas', { width: side, height: side, role: 'img', 'aria-label': t('take.code') });
  const pen = canvas.getContext('2d');
  pen.fillStyle = '#fff';
  pen.fillRect(0, 0, side, side);
  pen.fillStyle = '#000';
  rows.forEach((row, y) => [...row].forEach((one, x) => {
    if (one === '#') pen.fillRect((x + edge) * dot, (y + edge) * dot, dot, dot);
  }));
  canvas.style.maxWidth = '100%';
  return canvas;
}

// In place of the tabs: no agent is here any more that they could show.
function showTaken(said) {
  closeSheet();
  // Another question of this page may have been answered before.
  if (document.getElementById('take-text')) return;
  document.querySelector('nav').hidden = true;
  drawings.self = readers.self = () => {};
  showTab('self');
  const text = el('textarea', { id: 'take-text', rows: '5', readonly: true, spellcheck: 'false' });
  text.value = said.text;
  text.addEventListener('focus', () => text.select());
  const copy = button(t('take.copy'), () => {
    text.select();
    // The clipboard of browsers is shut on plain HTTP.
    if (document.execCommand('copy')) tell(t('take.copied'));
  });
  const section = document.getElementById('self');
  section.replaceChildren(el('h2', {}, t('guest.take')), el('p', {}, t('take.here')),
    el('p', {}, el('code', {}, 'seatagent key import')),
    ...(said.again ? [el('p', {}, t('take.first'))] : []), drawCode(said.code),
    el('label', { for: 'take-text' }, t('take.text')), text, el('div', { class: 'row' }, copy),
    slide(t('take.done'), async () => {
      await wire.act('leave', { taken: true });
      section.replaceChildren(el('p', {}, t('guest.left')));
    }));
}

async function openTaking() {
  if (wire.taken()) showTaken(await wire.look('take-key'));
  else takeSheet();
}
