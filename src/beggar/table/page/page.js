"use strict";
(() => {
  // The game as the engine played it. Nothing here knows the rules: a step says whose top card
  // goes to the pile, what is owed then, and under whose hand the pile goes, if it does.
  const game = JSON.parse(document.getElementById("game").textContent);
  const [TURNER, TURN, DUE, CLAIMANT, CHAIN, TAKER, TOLD, OUT, UNDER] = Array(9).keys();
  const SPREAD = 12;
  const COLOURS = ["#c2410c", "#1d6fd1", "#15803d", "#9333ea", "#a16207", "#0e7490"];
  const steps = game.steps, last = steps.length;
  const find = (id) => document.getElementById(id);

  // -- Words --------------------------------------------------------------------------------

  let language = game.language, words, plural, numbers;

  function choose(code) {
    language = code;
    words = game.languages[code];
    plural = new Intl.PluralRules(code);
    numbers = new Intl.NumberFormat(code);
    document.documentElement.lang = code;
  }

  function fill(patterns, fields) {
    const pattern = patterns.length > 1 && plural.select(fields.count) !== "one" ? patterns[1] : patterns[0];
    return pattern.replace(/\{(\w+)\}/g, (_, name) => word(fields[name], name));
  }

  function word(field, name) {
    if (typeof field === "number") return numbers.format(field);
    if (Array.isArray(field)) return fill(words.messages[field[0]], field[1]);
    const rest = field.slice(1);
    if (field[0] === "s") return player(+rest);
    if (field[0] === "c") return words.cards[+rest][name === "owed" || name === "by" ? 1 : 0];
    return rest;
  }

  const player = (seat) => game.names ? game.names[seat] : words.seat.replace("{number}", seat);
  const say = (name, fields = {}) => fill(words.sayings[name], fields);
  const CARDS = 0, TRICKS = 1, AFTER_CARDS = 2, AFTER_TRICKS = 3;
  const counted = (what, count) => "t" + fill(words.counts[what], {count});
  const sign = (card) => words.cards[card][2];

  // -- The table at any step ------------------------------------------------------------------

  // The table is kept whole every so many steps; any other is a few moves away.
  const total = game.hands.flat().length + game.pile.length;
  const apart = Math.max(64, total);
  const kept = [];
  let at = 0, lap = 0, hands, pile, out;

  function restore(table) {
    hands = table.hands.map((hand) => hand.slice());
    pile = table.pile.slice();
    out = new Set(table.out);
  }

  function move(step) {
    if (step[TURNER] >= 0) pile.push(hands[step[TURNER]].shift());
    for (const seat of step[OUT] || []) out.add(seat);
    if (step[TAKER] >= 0) {
      const under = step[UNDER] || (game.reversed ? pile.reverse() : pile);
      for (const card of under) hands[step[TAKER]].push(card);
      pile = [];
    }
  }

  function keep() {
    restore({hands: game.hands, pile: game.pile, out: game.first[4]});
    for (let n = 0; n < last; n++) {
      if (n % apart === 0) kept.push({hands: hands.map((hand) => hand.slice()), pile: pile.slice(), out: [...out]});
      move(steps[n]);
    }
    if (!kept.length) kept.push({hands: game.hands, pile: game.pile, out: game.first[4]});
  }

  function go(place) {
    place = Math.max(0, Math.min(last, place));
    if (place < at || place > at + apart) {
      const near = Math.min(kept.length - 1, Math.floor(place / apart));
      restore(kept[near]);
      at = near * apart;
    }
    while (at < place) move(steps[at++]);
  }

  // The end of a loop is its beginning.
  function onward() {
    if (at === last && game.loop) {
      go(game.loop.from);
      lap++;
    }
    if (at < last) go(at + 1);
  }

  function backward() {
    if (game.loop && lap && at <= game.loop.from + 1) {
      lap--;
      go(at === game.loop.from + 1 ? last : last - 1);
    } else go(at - 1);
  }

  // How many tricks are taken at a step: their steps ascend.
  function tricksAt(place) {
    let low = 0, high = game.tricks.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (game.tricks[middle][0] <= place) low = middle; else high = middle - 1;
    }
    return low;
  }

  // -- Drawing --------------------------------------------------------------------------------

  const seats = [], shown = [], spare = [], table = find("table"), heap = find("pile");
  let width = 0, height = 0, em = 16;

  function layout() {
    width = table.clientWidth;
    height = table.clientHeight;
    em = parseFloat(getComputedStyle(document.documentElement).fontSize);
    seats.forEach((seat, number) => {
      const box = seat.item.getBoundingClientRect();
      const angle = Math.PI / 2 + 2 * Math.PI * number / game.seats;
      const wide = game.seats === 2 && width > height;
      // Two sit left and right where there is room; else all sit round, the first at the bottom,
      // as near to the sides as they can.
      const across = wide ? (number ? 1 : -1) : Math.max(-1, Math.min(1, 1.5 * Math.cos(angle)));
      const down = wide ? 0 : Math.sin(angle);
      seat.x = width / 2 + across * (width - box.width - em) / 2;
      seat.y = height / 2 + down * (height - box.height - em) / 2;
      seat.item.style.transform = `translate(${seat.x - box.width / 2}px, ${seat.y - box.height / 2}px)`;
    });
  }

  function place(element, x, y, turned = 0) {
    element.style.transform = `translate(${x - 1.45 * em}px, ${y - 2 * em}px) rotate(${turned}deg)`;
  }

  function element(card, seat) {
    const made = spare.pop() || document.createElement("div");
    const face = game.faces[card];
    made.className = `card${face.red ? " red" : ""}${face.tribute ? " penalty" : ""}`;
    made.textContent = sign(card);
    made.style.opacity = 1;
    if (seat !== undefined) place(made, seats[seat].x, seats[seat].y);
    heap.append(made);
    return made;
  }

  // The newest card lies at the right, those before it spread to the left.
  function spread() {
    const beside = game.seats > 2 || width > height ? 2 * seats[0].item.offsetWidth + 2 * em : 2 * em;
    const gap = 2.1 * em, room = Math.floor((width - beside - 3 * em) / gap);
    const most = Math.max(1, Math.min(SPREAD, room)), seen = Math.min(shown.length, most + 1);
    shown.forEach((card, number) => {
      const behind = Math.min(shown.length - 1 - number, most);
      place(card.element, width / 2 + ((seen - 1) / 2 - behind) * gap, height / 2, (card.number % 5 - 2) * 1.5);
    });
  }

  function clear() {
    for (const card of shown.splice(0)) drop(card.element);
  }

  function drop(old) {
    old.remove();
    if (spare.length < 40) spare.push(old);
  }

  // Show the pile after one step on: the card flies, then perhaps all fly home.
  function advance(fast) {
    const step = steps[at - 1], seat = step[TURNER];
    heap.classList.toggle("fast", fast);
    if (seat >= 0) {
      const taken = step[TAKER] >= 0;
      const card = taken ? lastTurned : pile[pile.length - 1];
      const made = element(card, seat);
      if (!fast) made.getBoundingClientRect();
      shown.push({element: made, number: at});
      if (shown.length > SPREAD + 6) drop(shown.shift().element);
      spread();
    }
    if (step[TAKER] < 0) return;
    if (fast) return clear();
    const flown = shown.splice(0), to = seats[step[TAKER]];
    setTimeout(() => {
      for (const card of flown) {
        place(card.element, to.x, to.y);
        card.element.style.opacity = 0;
        setTimeout(drop, 300, card.element);
      }
    }, 320);
  }

  function redraw() {
    heap.classList.add("fast");
    clear();
    heap.replaceChildren();
    pile.slice(-SPREAD - 1).forEach((card, number) => shown.push({element: element(card), number: at + number}));
    spread();
  }

  let written = {};

  // Text is written only where it changes: most of it does not from card to card.
  function write(key, target, text) {
    if (written[key] !== text) {
      written[key] = text;
      target.textContent = text;
    }
  }

  function tell() {
    const step = at ? steps[at - 1] : null;
    const [turn, due, claimant, chain] = step ? step.slice(TURN, TAKER) : game.first;
    const over = at === last && !game.loop;
    seats.forEach((seat, number) => {
      const gone = out.has(number), hand = hands[number];
      seat.item.className = gone ? "out" : number === turn && !over ? "turn" : "";
      seat.stack.className = hand.length > 1 ? "stack deep" : "stack";
      seat.stack.style.visibility = hand.length ? "" : "hidden";
      let held = 0;
      for (const card of hand) held += game.faces[card].tribute > 0;
      write("size" + number, seat.size, gone ? say("out") : say("hand", {count: hand.length}));
      write("held" + number, seat.held, gone ? "" : say("penalties", {count: held}));
      const doing = number === claimant ? say("claims") : number === turn && !gone && !over
        ? (due ? say("due", {number: due}) : say("turns")) : "";
      write("doing" + number, seat.doing, doing || "\u00a0");
    });
    const trick = tricksAt(at);
    let state = say("at", {card: at + game.before[0], cards: last + game.before[0],
      trick: trick + game.before[1], tricks: game.tricks.length - 1 + game.before[1]});
    if (chain && due) state += " · " + say("chain", {number: chain});
    if (lap) state += " · " + say("round", {number: lap + 1});
    write("state", find("state"), state);
    write("told", find("told"), step
      ? step[TOLD].map((number) => sentence(game.phrases[number])).join(" ")
      : game.before[0] || pile.length
        ? say(due ? "stands_owing" : "stands", {player: "s" + turn, number: due})
        : say("begin", {player: "s" + turn}));
    const signs = pile.slice(-SPREAD).map(sign).join(" ");
    heap.setAttribute("aria-label", `${say("pile")}: ${fill(words.counts[CARDS], {count: pile.length})} ${signs}`);
    const slider = find("place");
    slider.value = at;
    slider.setAttribute("aria-valuetext", state);
    if (document.activeElement !== find("trick")) find("trick").value = trick + game.before[1];
    const x = 600 * trick / Math.max(1, game.tricks.length - 1);
    now.setAttribute("x1", x);
    now.setAttribute("x2", x);
  }

  function sentence(phrase) {
    const said = fill(words.messages[phrase[0]], phrase[1]);
    return game.names ? said : said[0].toUpperCase() + said.slice(1);
  }

  // -- The chart ------------------------------------------------------------------------------

  const make = (name, attributes) => {
    const made = document.createElementNS("http://www.w3.org/2000/svg", name);
    for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
    return made;
  };
  const now = make("line", {class: "now", y1: 0, y2: 160});

  function chart() {
    const svg = find("chart"), many = Math.max(1, game.tricks.length - 1);
    if (game.loop) {
      const from = 600 * tricksAt(game.loop.from) / many;
      svg.append(make("rect", {class: "band", x: from, y: 0, width: 600 - from, height: 160}));
    }
    for (let seat = 0; seat < game.seats; seat++) {
      const points = game.tricks.map((trick, number) =>
        `${(600 * number / many).toFixed(1)},${(157 - 150 * trick[1 + seat] / total).toFixed(1)}`);
      svg.append(make("polyline", {points: points.join(" "), stroke: COLOURS[seat]}));
    }
    svg.append(now);
    svg.addEventListener("click", (event) => {
      const box = svg.getBoundingClientRect();
      jumpToTrick(Math.round(many * (event.clientX - box.left) / box.width));
    });
  }

  // -- Going about ----------------------------------------------------------------------------

  let playing = false, before = 0, owing = 0, lastTurned = -1;
  const speed = () => +find("speed").value;

  function jump(place) {
    go(place);
    redraw();
    tell();
  }

  function jumpToTrick(trick) {
    pause();
    lap = 0;
    trick = Math.max(0, Math.min(game.tricks.length - 1, Math.trunc(trick)));
    find("trick").value = trick + game.before[1];
    jump(game.tricks[trick][0]);
  }

  // One card on; with several in one frame only the last is drawn.
  function step(fast, silent) {
    const ends = at === last;
    if (ends && !game.loop) return false;
    const from = ends ? game.loop.from : at;
    if (ends) {
      onward();
      redraw();
    } else {
      const next = steps[from];
      lastTurned = next[TURNER] >= 0 ? hands[next[TURNER]][0] : -1;
      onward();
      if (silent) redraw(); else advance(fast);
    }
    return true;
  }

  function frame(time) {
    if (!playing) return;
    // A tab that slept does not catch up.
    owing += Math.min(time - before, 250) * speed() / 1000;
    before = time;
    let stepped = false;
    while (owing >= 1) {
      owing--;
      stepped = true;
      if (!step(speed() > 4, owing >= 1)) {
        pause();
        break;
      }
    }
    if (stepped) tell();
    requestAnimationFrame(frame);
  }

  function play() {
    if (at === last && !game.loop) jump(0);
    playing = true;
    owing = 0.999;
    before = performance.now();
    // What goes by faster than it can be read aloud is not read aloud.
    find("told").setAttribute("aria-live", speed() > 1 ? "off" : "polite");
    label();
    requestAnimationFrame(frame);
  }

  function pause() {
    playing = false;
    find("told").setAttribute("aria-live", "polite");
    label();
  }

  function label() {
    find("play").textContent = say(playing ? "pause" : "play");
  }

  const actions = {
    play: () => playing ? pause() : play(),
    forward: () => { pause(); if (step(false, false)) tell(); },
    back: () => { pause(); backward(); redraw(); tell(); },
    start: () => { pause(); lap = 0; jump(0); },
    end: () => { pause(); lap = 0; jump(last); },
    trick_back: () => {
      const trick = tricksAt(at);
      jumpToTrick(game.tricks[trick][0] < at ? trick : trick - 1);
    },
    trick_forward: () => jumpToTrick(tricksAt(at) + 1),
  };

  function pace(by) {
    const choice = find("speed");
    choice.selectedIndex = Math.max(0, Math.min(choice.options.length - 1, choice.selectedIndex + by));
  }

  function speak(code) {
    choose(code);
    written = {};
    document.title = say("title");
    for (const target of document.querySelectorAll("[data-say]")) target.textContent = say(target.dataset.say);
    for (const target of document.querySelectorAll("[data-label]")) {
      target.setAttribute("aria-label", say(target.dataset.label));
      if (target.tagName === "BUTTON") target.title = say(target.dataset.label);
    }
    seats.forEach((seat, number) => { seat.name.textContent = player(number); });
    find("legend").replaceChildren(...seats.map((_, number) => {
      const entry = document.createElement("li"), line = document.createElement("span");
      line.style.borderColor = COLOURS[number];
      entry.append(line, player(number));
      return entry;
    }));
    const loop = game.loop, note = find("loop-note");
    note.hidden = !loop;
    if (loop) {
      note.textContent = say("loop_note", {
        cards: counted(AFTER_CARDS, loop.cards), tricks: counted(AFTER_TRICKS, loop.tricks),
        round_cards: counted(CARDS, loop.round_cards), round_tricks: counted(TRICKS, loop.round_tricks),
      });
      const entry = document.createElement("li"), band = document.createElement("span");
      band.style.cssText = "height:1em;border:0;background:var(--band)";
      entry.append(band, say("loop"));
      find("legend").append(entry);
    }
    label();
    tell();
  }

  function begin() {
    keep();
    restore(kept[0]);
    for (let number = 0; number < game.seats; number++) {
      const item = document.createElement("li"), parts = {};
      for (const name of ["name", "stack", "size", "held", "doing"]) {
        parts[name] = document.createElement("div");
        parts[name].className = name === "name" || name === "stack" ? name : "what";
        item.append(parts[name]);
      }
      parts.stack.setAttribute("aria-hidden", "true");
      find("seats").append(item);
      seats.push({item, ...parts});
    }
    table.classList.toggle("many", game.seats > 2);
    find("place").max = last;
    find("trick").min = game.before[1];
    find("trick").max = game.tricks.length - 1 + game.before[1];
    for (const [code, known] of Object.entries(game.languages)) {
      const option = document.createElement("option");
      option.value = code;
      option.lang = code;
      option.textContent = known.name;
      find("language").append(option);
    }
    find("language").value = language;
    chart();
    speak(language);
    layout();
    redraw();
    const fit = new ResizeObserver(() => { layout(); redraw(); });
    fit.observe(table);
    // What is said of a seat may need another line.
    for (const seat of seats) new ResizeObserver(layout).observe(seat.item);
    for (const [name, action] of Object.entries(actions)) find(name).addEventListener("click", action);
    find("language").addEventListener("change", (event) => { speak(event.target.value); layout(); redraw(); });
    find("place").addEventListener("input", (event) => { pause(); lap = 0; jump(+event.target.value); });
    find("trick").addEventListener("change", (event) => jumpToTrick((+event.target.value || 0) - game.before[1]));
    document.addEventListener("keydown", (event) => {
      if (event.altKey || event.ctrlKey || event.metaKey) return;
      const on = event.target.tagName;
      if (on === "SELECT" || on === "INPUT" || (on === "BUTTON" && (event.key === " " || event.key === "Enter"))) return;
      const key = (event.shiftKey ? "Shift" : "") + event.key;
      const action = {" ": "play", ArrowLeft: "back", ArrowRight: "forward", ShiftArrowLeft: "trick_back",
        ShiftArrowRight: "trick_forward", Home: "start", End: "end"}[key];
      if (action) actions[action]();
      else if (event.key === "+") pace(1);
      else if (event.key === "-") pace(-1);
      else return;
      event.preventDefault();
    });
    document.body.dataset.ready = "yes";
  }

  begin();
})();
