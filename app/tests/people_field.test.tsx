// @vitest-environment happy-dom
import { cleanup, fireEvent, screen } from "@testing-library/react";
import { useState } from "react";
import { afterEach, expect, test } from "vitest";
import { AddPerson } from "../src/access/AddPerson";
import { useAccessActions } from "../src/access/actions";
import { meant, PeopleField, type Somebody } from "../src/ui/PeopleField";
import { FakeGraphql, sessionOf, shown } from "./fake_graphql";

const ADA = { email: "ada@acme.example", name: "Ada Lovelace", userId: "ada" };
const BEN = { email: "ben@acme.example", name: "Ben Franklin", userId: "ben" };
const KNOWN = [ADA, BEN];

afterEach(cleanup);

test.each([
  ["", []],
  ["ben franklin", [BEN]],
  ["BEN@acme.example", [BEN]],
  ["frank", [BEN]],
  ["b", [BEN]],
  ["nobody", [{ email: "nobody", name: null, userId: null }]],
])("“%s” means whom it names", (text, people) => {
  expect(meant([], text, KNOWN, true)).toEqual(people);
});

test("where addresses are not taken, words that name nobody mean nobody", () => {
  expect(meant([ADA], "be nobody", KNOWN, false)).toBe(null);
  expect(meant([ADA], "Ben Franklin", KNOWN, false)).toEqual([ADA, BEN]);
});

function Field({ takesAddresses = false }) {
  const [chosen, choose] = useState<readonly Somebody[]>([]);
  const [text, type] = useState("");
  const props = { label: "People", placeholder: "Name", known: KNOWN, chosen, choose, text, type, takesAddresses };
  return <PeopleField {...props} />;
}

function names() {
  return screen.queryAllByRole("listitem").map((each) => each.textContent);
}

test("people are chosen by the beginning of any of their names, and not offered again", () => {
  shown(sessionOf(), <Field />);
  const field = screen.getByLabelText("People");
  fireEvent.change(field, { target: { value: "lov" } });
  expect(screen.getAllByRole("option").map((each) => each.textContent)).toEqual(["Ada Lovelace ada@acme.example"]);
  expect(screen.getByRole("option").querySelector("[data-initials='AL']")).not.toBeNull();
  fireEvent.keyDown(field, { key: "Enter" });
  expect(names()).toEqual(["Ada Lovelace"]);
  fireEvent.keyDown(field, { key: "ArrowDown" });
  expect(screen.getAllByRole("option")).toHaveLength(1);
  fireEvent.keyDown(field, { key: "Escape" });
  expect(screen.queryAllByRole("option")).toEqual([]);
  fireEvent.keyDown(field, { key: "Backspace" });
  expect(names()).toEqual([]);
});

test("pasted addresses are all chosen, each once", () => {
  shown(sessionOf(), <Field takesAddresses />);
  const field = screen.getByLabelText("People");
  const clipboardData = { getData: () => "one@else.example, ben@acme.example;one@else.example" };
  fireEvent.paste(field, { clipboardData });
  expect(names()).toEqual(["one@else.example", "Ben Franklin"]);
});

function Adding() {
  const actions = useAccessActions(async () => undefined);
  return <AddPerson itemId="item" actions={actions} />;
}

test.each([true, false])("a message is asked for where mail is sent (%s)", async (mails) => {
  const preview = { gains: [], loses: [], keeps: [], otherGains: 0, otherLoses: 0, otherKeeps: 0 };
  const server = new FakeGraphql({
    ShareSuggestions: () => ({ shareSuggestions: KNOWN }),
    SharePreview: () => ({ sharePreview: preview }),
    ShareItem: () => ({ shareItem: { id: "item" } }),
  });
  shown({ ...sessionOf(), mails }, <Adding />);
  const field = screen.getByLabelText("Share with");
  fireEvent.change(field, { target: { value: "one@else.example" } });
  fireEvent.click(screen.getByText("Continue"));
  const share = await screen.findByText("Share");
  const message = screen.queryByLabelText("Message in the e-mail");
  expect(message !== null).toBe(mails);
  expect(screen.queryByText(/sends no e-mail/) === null).toBe(mails);
  if (message) fireEvent.change(message, { target: { value: "Look at this" } });
  fireEvent.click(share);
  await screen.findByLabelText("Share with");
  const sent = {
    itemId: "item",
    email: "one@else.example",
    permission: "read_only",
    message: mails ? "Look at this" : "",
  };
  expect(server.asked).toContain(`ShareItem ${JSON.stringify(sent)}`);
});
