-- Neovim 0.11 or newer: copy this to ~/.config/nvim/plugin/interplay.lua
vim.filetype.add({ extension = { play = "interplay" } })
vim.lsp.config("interplay", { cmd = { "interplay", "lsp" }, filetypes = { "interplay" }, root_markers = { ".git" } })
vim.lsp.enable("interplay")

-- The server colours by what each name is. For colours without it build editors/tree-sitter-interplay (`tree-sitter build`), put
-- interplay.so into a folder `parser` and highlights.scm into `queries/interplay` of the runtime path, and call vim.treesitter.start().
vim.api.nvim_create_autocmd("FileType", {
  pattern = "interplay",
  callback = function()
    vim.bo.commentstring = "// %s"
    vim.bo.shiftwidth = 2
    vim.bo.expandtab = true
    vim.keymap.set("n", "grl", vim.lsp.codelens.run, { buffer = true, desc = "run the command above" })
  end,
})
